import { expect, test } from 'vitest';
import { overLimits } from '../../scripts/local/costs.ts';
import { limits } from './limits.ts';

test('a cost is divided by the pace of the machine before it is compared with its limit', () => {
  const seconds = limits.journey * 1.5;
  const cases = [{ name: 'paying', seconds }];
  const overAt = (pace: number) => overLimits([{ part: 'browser', seconds, pace, cases }]);
  expect(overAt(1)).toEqual([expect.stringMatching(/^paying: 9\.0 .* over 6\.0$/)]);
  expect(overAt(1.4)).toEqual([]);
});

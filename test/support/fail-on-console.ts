import { afterEach, beforeEach, expect, vi } from 'vitest';
import { noise, takeNoise } from './console.ts';

/** Unexpected noise is a failure. A test that expects some takes it away with `takeNoise`. */
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...args) => void noise.push(args.join(' ')));
  vi.spyOn(console, 'warn').mockImplementation((...args) => void noise.push(args.join(' ')));
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(takeNoise()).toEqual([]);
});

import { Trans } from '@lingui/react/macro';
import { type Standing, standings } from '#db/values.ts';
import { paths } from '#paths.ts';

type FlowProps = {
  runId: string;
  people: Record<Standing, number>;
  /** On Home, it is a thin line. */
  isThin?: boolean;
};

/** How the people of an open run get on: one bar in parts, and words that lead to these people. */
export function Flow({ runId, people, isThin = false }: FlowProps) {
  const shown = standings.filter((standing) => people[standing] > 0);
  return (
    <div className="grid gap-3">
      <svg className="flow-bar" data-thin={isThin || undefined} aria-hidden="true">
        {partsOf(shown, people).map(({ standing, start, share }) => (
          <rect key={standing} x={`${start}%`} width={`${share}%`} data-standing={standing} />
        ))}
      </svg>
      <ul className="flow-words">
        {shown.map((standing) => (
          <li key={standing}>
            <a href={`${paths.roster(runId)}?standing=${standing}`} data-standing={standing}>
              <span>
                <Words standing={standing} count={people[standing]} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** In percent: a part of one among thousands can still be seen. */
const [least, gap] = [2.5, 0.7];

/** Where each part of the bar begins, and how wide it is. */
function partsOf(shown: Standing[], people: FlowProps['people']) {
  const total = shown.reduce((sum, standing) => sum + people[standing], 0);
  const room = 100 - (least + gap) * shown.length + gap;
  let start = 0;
  return shown.map((standing) => {
    const part = { standing, start, share: least + (people[standing] / total) * room };
    start += part.share + gap;
    return part;
  });
}

function Words({ standing, count }: { standing: Standing; count: number }) {
  const n = <b>{count}</b>;
  switch (standing) {
    case 'completed':
      return <Trans>{n} completed</Trans>;
    case 'under_way':
      return <Trans>{n} on their way</Trans>;
    case 'stuck':
      return <Trans>{n} stuck</Trans>;
    default:
      return <Trans>{n} not started</Trans>;
  }
}

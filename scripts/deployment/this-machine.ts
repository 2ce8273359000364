import { existsSync, readFileSync } from 'node:fs';
import { hasChromium, howToGetChromium } from '../../test/e2e/chromium.ts';
import { PlainFailure } from '../local/plain-failure.ts';
import {
  appOrigin,
  type LocalSettings,
  localVars,
  madeSecrets,
  readSecrets,
  readSettings,
} from '../local/settings.ts';
import { takenPorts } from '../local/steps.ts';
import { checkLocalConfiguration } from './configuration.ts';
import { countMissing, type Finding } from './findings.ts';
import { askHealth } from './health.ts';

/** What `npm start` needs on this machine. */
export async function checkThisMachine(): Promise<Finding[]> {
  const findings = [checkNode(), checkInstalled()];
  try {
    const settings = readSettings(process.env);
    findings.push(...(await checkPorts(settings)), ...checkSettings(settings));
  } catch (error) {
    if (!(error instanceof PlainFailure)) {
      throw error;
    }
    findings.push({ kind: 'missing', text: error.message });
  }
  findings.push(
    hasChromium
      ? { kind: 'fine', text: 'Chromium, for the browser suite' }
      : { kind: 'advice', text: howToGetChromium },
  );
  return findings;
}

function checkNode(): Finding {
  const engines = readJson('package.json')['engines'] as { node: string };
  const [major] = process.versions.node.split('.');
  const isEnough = Number(major) >= Number(/\d+/.exec(engines.node));
  return isEnough
    ? { kind: 'fine', text: `Node ${process.versions.node}` }
    : {
        kind: 'missing',
        text: `Node ${engines.node} is needed, this is ${process.versions.node}.`,
      };
}

/** Checks that every package of package.json is installed at its version. */
function checkInstalled(): Finding {
  const { dependencies, devDependencies } = readJson('package.json');
  const packages = Object.entries({
    ...(dependencies as Record<string, string>),
    ...(devDependencies as Record<string, string>),
  });
  const stale = packages.filter(([name, version]) => {
    const file = `node_modules/${name}/package.json`;
    return !existsSync(file) || readJson(file)['version'] !== version;
  });
  const names = stale.map(([name]) => name).join(', ');
  return stale.length === 0
    ? { kind: 'fine', text: `${packages.length} packages, at their versions` }
    : { kind: 'missing', text: `Missing or of another version: ${names}. Run \`npm ci\`.` };
}

async function checkPorts(settings: LocalSettings): Promise<Finding[]> {
  const taken = await takenPorts(settings);
  if (taken.length === 0) {
    return [{ kind: 'fine', text: 'The ports of `npm start` are free' }];
  }
  const origin = appOrigin(settings);
  return 'release' in (await askHealth(origin))
    ? [{ kind: 'fine', text: `Lectern answers on ${origin}` }]
    : taken.map((text) => ({ kind: 'missing', text }));
}

/** Missing local secrets are not a problem: the next start creates them. */
function checkSettings(settings: LocalSettings): Finding[] {
  const secrets = existsSync('.dev.vars') ? readSecrets() : {};
  const made = madeSecrets();
  const absent = Object.keys(made).filter((name) => secrets[name] === undefined);
  const findings = checkLocalConfiguration({
    ...made,
    ...secrets,
    ...localVars(settings),
  });
  if (absent.length > 0) {
    const text = `The next \`npm start\` adds ${absent.join(', ')} to .dev.vars.`;
    findings.push({ kind: 'advice', text });
  }
  const isOk = countMissing(findings) === 0;
  return isOk
    ? [{ kind: 'fine', text: 'The local settings in wrangler.toml and .dev.vars' }, ...findings]
    : [
        ...findings,
        {
          kind: 'advice',
          text: 'A line of .dev.vars that is wrong can be removed: `npm start` makes a new one.',
        },
      ];
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'));
}

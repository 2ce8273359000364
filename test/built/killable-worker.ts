import type { LocalSettings } from '../../scripts/local/settings.ts';
import { startBuiltWorker } from '../../scripts/local/worker.ts';

/** A separate process, which faults.test.ts starts and kills. */
const settings: LocalSettings = JSON.parse(process.argv[2] ?? '');
await startBuiltWorker(settings);
console.log('ready');

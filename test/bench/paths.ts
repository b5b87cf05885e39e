/** How many files of the product a flow runs through, without those that idle work of the same length calls. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type SandboxPeople, startSandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { until } from '../harness/until.ts';
import { portFile } from './coverage-port.ts';
import { type Figure, figure } from './report/figure.ts';

const ENTRY = fileURLToPath(new URL('covered-product.ts', import.meta.url));
type Flow = {
  readonly name: string;
  /** Files of its first measurement. */
  readonly first: number;
  /** How long it takes on the product's clock. */
  readonly takes: string;
  readonly run: (people: SandboxPeople) => Promise<unknown>;
};

const FLOWS: readonly Flow[] = [
  {
    name: 'a command to its card',
    first: 113,
    takes: '1s',
    run: (people) => people.runs('operator', 'device web-01'),
  },
  { name: 'a reboot to its proof', first: 254, takes: '3m', run: reboot },
  { name: 'an event to its card', first: 115, takes: '20s', run: alert },
];

async function reboot(people: SandboxPeople): Promise<void> {
  await people.runs('operator', 'reboot web-01 because kernel update');
  const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
  await people.push('approver', card, 'approve');
  await people.becomes(card, 'verified');
}

async function alert(people: SandboxPeople): Promise<void> {
  await people.world({ do: 'patch-fails', device: 'web-01', reason: 'held' });
  await people.advance('20s');
  await until(async () => (await people.posts('patch-alerts')).length > 0, { what: 'an alert' });
}

/** Files with a function that is called between the start of a flow and the last edit of its card. */
export async function paths(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { name, first, takes, run } of FLOWS) {
    const people = await startSandboxPeople({ entry: ENTRY });
    try {
      const ours = (await filesOf(people, takes, run)).length;
      const what = { name: `files of the product from ${name}`, unit: 'files', ours } as const;
      figures.push(figure({ ...what, baseline: first, against: 'the first measurement' }));
    } finally {
      await people.stop();
    }
  }
  return figures;
}

async function filesOf(people: SandboxPeople, takes: string, run: Flow['run']): Promise<readonly string[]> {
  const port = readFileSync(portFile(process.pid), 'utf8');
  const take = async (): Promise<readonly string[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}`);
    return JSON.parse(await answer.text());
  };
  await people.greeted();
  await take();
  await people.advance(takes);
  const idle = new Set(await take());
  await run(people);
  return (await take()).filter((file) => !idle.has(file));
}

/** The table of calls to the outside says what the code and its tests have. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../src/lib/log.ts';
import { createClients } from '../src/slack/web-api/clients.ts';
import { createSlackWeb } from '../src/slack/web-api/slack-web.ts';
import { slackAt } from './harness/slack-at.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const TABLE = [
  ...read('src/OUTSIDE-CALLS.md').matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \| (\S+): (.+) \|$/gm),
].map(([, call = '', sent = '', unknown = '', file = '', test = '']) => ({
  call,
  sent,
  unknown,
  file,
  test,
}));

/** The methods of a type, as it is written. */
function methodsOf(path: string, type: string): readonly string[] {
  const [, body = ''] = read(path).split(new RegExp(`export type ${type} = (?:\\w+ & )?\\{\\n`));
  const [members = ''] = body.split('\n};');
  return [...members.matchAll(/^ {2}readonly (\w+): /gm)].map(([, name = '']) => name);
}

const CALLS = [
  ...Object.keys(createSlackWeb(createClients(slackAt('http://localhost:1/'), silentLog))),
  ...methodsOf('src/fleet/fleet.ts', 'FleetReader'),
  ...methodsOf('src/fleet/fleet.ts', 'FleetWriter'),
  ...methodsOf('src/fleet/fleet.ts', 'FleetEditor'),
  // Slack's response URLs, what it is told over a connection, and the address of that.
  ...['respond', 'acknowledge', 'connect'],
];

describe('the table of calls to the outside', () => {
  it('has each of them once, and no other', () => {
    expect(CALLS.length).toBeGreaterThan(40);
    expect(TABLE.map(({ call }) => call).sort()).toEqual([...CALLS].sort());
  });

  it.each(TABLE)('$call says whether it is repeated, and what becomes of it', ({ sent, unknown }) => {
    expect(['once', 'repeated']).toContain(sent);
    expect(unknown.length).toBeGreaterThan(10);
  });

  it.each(TABLE)('$call names a test that exists', ({ file, test }) => {
    const path = [`test/${file}.test.ts`, `test/${file}.ts`].find((one) => existsSync(join(ROOT, one)));
    expect(path).toBeDefined();
    expect(read(path ?? '')).toContain(test);
  });
});

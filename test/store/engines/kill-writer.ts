/**
 * Writes to the store at the given path, one thing after another, and says the name of each once all of it is
 * stored. It says `opening` before it opens the file, so that a kill can hit the opening too.
 */
import { writeSync } from 'node:fs';
import { deviceId, requestId } from '../../../src/lib/ids.ts';
import { openStore } from '../../../src/store/open.ts';
import { anEnqueuedCard, anEntry, ORGANIZATION } from '../builders.ts';
import { aRequest, aRequestTarget, moveTo } from '../request-builders.ts';

const [, , path = '', run = ''] = process.argv;
const say = (line: string): void => {
  writeSync(process.stdout.fd, `${line}\n`);
};

say('opening');
const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
for (let count = 0; ; count++) {
  const name = `${run}-${count}`;
  const request = aRequest({ id: requestId(`r_${name}`), requestKey: name, fingerprint: name });
  const target = aRequestTarget(request.id, { deviceId: deviceId(Number(run) * 1_000_000 + count + 1) });
  await store.transaction(async (tables) => {
    await tables.requests.insert(request, [target]);
    await tables.cards.enqueue(anEnqueuedCard(`approval:${name}`));
    await tables.audit.append(anEntry({ subject: name }));
  });
  await store.requests.replace({ ...request, version: 2, state: 'running', reason: name });
  await store.targets.move(request.id, [moveTo(target, 'issuing', { response: name })]);
  say(name);
}

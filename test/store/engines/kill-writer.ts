/**
 * Writes to the store at the given path, one thing after another, and says the name of each once all of it is
 * stored. It says `opening` before it opens the file, so that a kill can hit the opening too.
 */
import { writeSync } from 'node:fs';
import { approvalId } from '../../../src/lib/ids.ts';
import { openStore } from '../../../src/store/open.ts';
import { anApproval, anEnqueuedCard, anEntry, ORGANIZATION } from '../builders.ts';

const [, , path = '', run = ''] = process.argv;
const say = (line: string): void => {
  writeSync(process.stdout.fd, `${line}\n`);
};

say('opening');
const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
for (let count = 0; ; count++) {
  const name = `${run}-${count}`;
  const approval = anApproval({ id: approvalId(`a_${name}`), requestKey: name, fingerprint: name });
  await store.transaction(async (tables) => {
    await tables.approvals.insert(approval);
    await tables.cards.enqueue(anEnqueuedCard(`approval:${name}`));
    await tables.audit.append(anEntry({ subject: name }));
  });
  await store.approvals.replace({ ...approval, version: 2, state: 'denied', note: name });
  say(name);
}

/** Alerts for a channel that the bot is not in, over real sockets. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const entry = fileURLToPath(new URL('harness/elsewhere-product.ts', import.meta.url));
const people = useSandboxPeople({ entry });

it('alerts that wait for the bot to be invited are posted when it is, not up to an hour later', async () => {
  const refused = async () =>
    (await people.journal('slack')).filter(({ path }) => path.endsWith('/chat.postMessage')).length;
  // The message about a new database is a post, too.
  await people.greeted();
  const before = await refused();
  await people.world({ do: 'patch-fails', device: 'web-01', reason: 'disk full' });
  await people.advance('20s');
  await until(async () => (await refused()) > before, { what: 'the refused post' });
  expect(await people.posts('random')).toEqual([]);
  await people.invite({ user: 'operator', channel: 'random' });
  await people.card('random', ({ text }) => text.includes('web-01'), 'the alert that waited');
});

/** The process is told to end: everybody who waits gets an answer or a notice, and sent calls get their result. */
import { afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { ProductRuns } from '../../harness/run-product.ts';
import { type UntilOptions, until } from '../../harness/until.ts';
import { startWithProducts } from '../harness/people-and-products.ts';
import { type SandboxPeople, stateOf } from '../harness/sandbox-people.ts';
import { useSandboxPeople } from '../harness/use-sandbox-people.ts';

const SLOW_PACKAGES = {
  service: 'management',
  match: 'GET /servers/4001/packages',
  kind: 'slow',
  times: 1,
} as const;
/** Long enough for all that is looked at meanwhile, and still within the eight seconds in which a stop waits for answers. */
const ANSWERED_MS = 6_000;
const ASKED = { user: 'operator', channel: 'ops', command: '/fleet', text: 'packages web-01' };

/** Does this, and waits until the service got a request for it. */
async function asking(
  people: SandboxPeople,
  match: string,
  act: () => Promise<unknown>,
  options: UntilOptions = {},
): Promise<void> {
  const requests = async () =>
    (await people.journal('management')).filter(({ path, method }) => `${method} ${path}`.startsWith(match))
      .length;
  const before = await requests();
  await act();
  await until(async () => (await requests()) > before, { what: match, ...options });
}

async function startedProduct(products: ProductRuns) {
  const product = products.start();
  await product.isReady();
  return product;
}

/** A sandbox of its own and a running product, for tests that wait for most of their time and therefore run at once. */
async function startedFor({ onTestFinished }: TestContext) {
  const { people, products, stop } = await startWithProducts();
  onTestFinished(stop);
  const told = async (user: string) =>
    (await people.messages('ops', user)).filter(({ ephemeral }) => ephemeral).map(({ text }) => text);
  return { people, products, told, product: await startedProduct(products) };
}

// Enough time for a POST of 12 s and a start before and after it, on a busy machine, too.
describe.concurrent('an end by SIGTERM with work under way', { timeout: 240_000 }, () => {
  it('answers the question under way, takes no other, and ends with 0', async (test) => {
    const { people, product, told } = await startedFor(test);
    await people.fault({ ...SLOW_PACKAGES, ms: ANSWERED_MS });
    await asking(people, SLOW_PACKAGES.match, () => people.command(ASKED));
    product.signal('SIGTERM');
    await until(async () => !(await people.command({ ...ASKED, text: 'help' })).ok, {
      what: 'no one listening',
    });
    expect(await product.ended).toBe(0);
    // Until nobody listened, the others were answered before it.
    const answers = (await told('operator')).filter((text) => !text.startsWith('What you can do'));
    expect(answers.at(-1)).toMatch(/^Packages for web-01/);
  });

  it('asks people who get no answer in time to try again', async (test) => {
    const { people, product, told } = await startedFor(test);
    await people.fault({ ...SLOW_PACKAGES, ms: 60_000 });
    await asking(people, SLOW_PACKAGES.match, () => people.command(ASKED));
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
    expect((await told('operator')).at(-1)).toMatch(/^Patchbay is restarting\. Try again\./);
  });

  it('waits for the answer to a command that was sent, which is sent once', async (test) => {
    const { people, products, product } = await startedFor(test);
    await people.fault({
      service: 'management',
      match: 'POST /servers/{id}/queues',
      kind: 'slow',
      ms: 12_000,
      times: 1,
    });
    const before = (await people.writes()).length;
    await asking(people, 'POST /servers/4001/queues', () =>
      people.command({ user: 'operator', channel: 'ops', command: '/fleet', text: 'scan web-01' }),
    );
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
    const card = await people.card('ops', ({ text }) => text.includes('web-01'));
    expect(stateOf(card)).toBe('accepted');
    const next = await startedProduct(products);
    expect((await people.writes()).length - before).toBe(1);
    next.signal('SIGTERM');
    expect(await next.ended).toBe(0);
  });

  it('asks people with an open window to try again', async (test) => {
    const { people, product } = await startedFor(test);
    await people.fault({ ...SLOW_PACKAGES, match: 'GET /servers/4001', ms: 60_000, times: 9 });
    const { ts = '' } = await people.message({ user: 'operator', channel: 'ops', text: 'Is web-01 slow?' });
    const shortcut = { user: 'operator', callback_id: 'act_on_device', channel: 'ops', ts };
    const window = async () => JSON.stringify((await people.views('operator')).modals.at(-1)?.blocks);
    const looks = async () => (await window())?.includes('Looking…');
    // A busy machine may miss the three seconds in which a window can be opened, so it is requested again.
    await until(
      async () => {
        const once = { timeoutMs: 5_000 };
        await asking(people, 'GET /servers/4001', () => people.shortcut(shortcut), once);
        return await until(looks, once);
      },
      { what: 'Looking…' },
    );
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
    expect(await window()).toContain('Patchbay is restarting. Try again.');
  });
});

describe('an end by SIGTERM', { timeout: 240_000 }, () => {
  let people: SandboxPeople;
  let products: ProductRuns;
  beforeAll(async () => {
    const started = await startWithProducts();
    ({ people, products } = started);
    return started.stop;
  });
  afterEach(async () => {
    await products.kill();
    await people.clearFaults();
  });

  it('ends at once with 1 at the second signal', async () => {
    const product = await startedProduct(products);
    await people.fault({ ...SLOW_PACKAGES, ms: 60_000 });
    await asking(people, SLOW_PACKAGES.match, () => people.command(ASKED));
    product.signal('SIGTERM');
    await until(async () => {
      // Signals within a second count as one, so it is sent until one counts as a repeat.
      product.signal('SIGTERM');
      return product.lines.some((line) => line.includes('app.stop-repeated'));
    });
    expect(await product.ended).toBe(1);
  });

  it('continues after SIGHUP', async () => {
    const product = await startedProduct(products);
    product.signal('SIGHUP');
    await until(() => product.lines.some((line) => line.includes('app.hangup')));
    expect((await people.runs('operator', 'help')).text).toMatch(/^What you can do with \/fleet/);
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
  });

  it('while it starts ends it with 0', async () => {
    await people.fault({ service: 'slack', match: 'POST /api/auth.test', kind: 'status', status: 503 });
    const product = products.start();
    await until(() => product.lines.some((line) => line.includes('slack.sign-in-delayed')));
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
  });
});

describe('an end by SIGTERM over HTTP', { timeout: 240_000 }, () => {
  const people = useSandboxPeople({ transport: 'http' });

  it('answers 503 to new requests, reports its health, and answers earlier requests', async () => {
    const asked = { ...ASKED, user: 'viewer' };
    const seen = async () => (await people.messages('ops', 'viewer')).map(({ text }) => text).at(-1);
    await people.fault({ ...SLOW_PACKAGES, ms: ANSWERED_MS });
    await asking(people, SLOW_PACKAGES.match, () => people.command(asked));
    const { botUrl } = (await people.state()).slack;
    const stopped = people.bot({ do: 'stop' });
    const ready = async () => (await fetch(`${botUrl}/readyz`)).status;
    await until(async () => (await ready()) === 503, { what: 'not ready' });
    const refused = await fetch(`${botUrl}/slack/events`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(503);
    expect((await fetch(`${botUrl}/healthz`)).status).toBe(200);
    expect(await people.command({ ...asked, text: 'help' })).toEqual({ ok: false, error: 'dispatch_failed' });
    await stopped;
    expect(await seen()).toMatch(/^Packages for web-01/);
  });
});

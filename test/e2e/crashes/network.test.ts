/** The network between a real process and both services: through a proxy, and with a revoked token. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startProxy } from '../../harness/proxy-server.ts';
import type { ProductRuns } from '../../harness/run-product.ts';
import { until } from '../../harness/until.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { startWithProducts } from '../harness/people-and-products.ts';
import type { SandboxPeople } from '../harness/sandbox-people.ts';

// Each starts a product, which a busy machine does slowly.
vi.setConfig({ testTimeout: 180_000 });

let people: SandboxPeople;
let products: ProductRuns;
beforeAll(async () => {
  const started = await startWithProducts();
  ({ people, products } = started);
  return started.stop;
});
const proxy = madePerTest(startProxy);
afterEach(async () => {
  await products.kill();
  await proxy.stop();
});

/** Connections that Slack has greeted so far. */
const opened = async () =>
  (await people.journal('slack')).filter(({ path, status }) => path.startsWith('/link') && status === 101)
    .length;

/** All requests of the product to both services since then, as `METHOD /path`. */
const askedSince = async (count: number) =>
  (await people.journal())
    .slice(count)
    .filter(({ path }) => !path.startsWith('/link'))
    .map(({ method, path }) => `${method} ${path.split('?')[0]}`)
    .sort();

it('everything goes through the proxy, and its credentials are in no log', async () => {
  const before = (await people.journal()).length;
  const product = products.start({ HTTP_PROXY: proxy.address('me:secret-words'), LOG_LEVEL: 'trace' });
  await product.isReady();
  const answer = await people.runs('operator', 'device web-01');
  expect(answer.text).toMatch(/^web-01/);
  await people.runs('operator', 'scan web-01');
  product.signal('SIGTERM');
  expect(await product.ended).toBe(0);
  const forwarded = proxy.seen
    .filter((line) => !line.startsWith('CONNECT'))
    .map((line) => {
      const [method = '', url = ''] = line.split(' ');
      return `${method} ${new URL(url).pathname}`;
    });
  // The journal masks response URLs and leaves out the service's prefix.
  const passed = (await askedSince(before))
    .map((asked) => asked.slice(asked.indexOf(' ') + 1).replace('[masked]', ''))
    .filter((path) => !forwarded.some((line) => line.includes(path)));
  expect(passed).toEqual([]);
  // Its two connections to Slack.
  expect(proxy.seen.filter((line) => line.startsWith('CONNECT')).length).toBeGreaterThanOrEqual(1);
  expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${btoa('me:secret-words')}`]));
  expect(product.lines.join('\n')).not.toMatch(/secret-words|bWU6c2VjcmV0/);
});

it('nothing goes through the proxy where NO_PROXY excepts it', async () => {
  const product = products.start({ HTTP_PROXY: proxy.address(), NO_PROXY: '127.0.0.1,localhost' });
  await product.isReady();
  expect(proxy.seen).toEqual([]);
});

it('a proxy that refuses ends the start with plain words', async () => {
  proxy.refuse(407);
  const product = products.start({
    https_proxy: proxy.address(),
    SLACK_API_URL: 'https://slack.invalid/api/',
  });
  await until(() => product.lines.some((line) => line.includes('slack.sign-in-delayed')));
  expect(product.lines.join('\n')).toContain('the proxy requires valid credentials (HTTP 407)');
});

it('no command is lost while Slack closes one connection after another', async () => {
  const before = await opened();
  const product = products.start();
  await product.isReady();
  const asked = { user: 'operator', channel: 'random', command: '/fleet', text: 'help' };
  const lost: unknown[] = [];
  for (const [closed, order] of (['refresh', 'kill-socket', 'refresh'] as const).entries()) {
    await until(async () => (await opened()) === before + closed + 2, { what: 'two connections' });
    expect(await people.delivery({ do: order, times: 1 })).toEqual({ ok: true, connections: 1 });
    for (let count = 0; count < 20; count += 1) {
      const { ok, error } = await people.command(asked);
      if (!ok) lost.push(error);
    }
  }
  expect(lost).toEqual([]);
  // The last one, too: it would count for the next test.
  await until(async () => (await opened()) === before + 5, { what: 'two connections again' });
});

describe('an app token that is revoked while we run', () => {
  it('ends the process with one fatal line and code 1 once no connection is left', async () => {
    const before = await opened();
    const product = products.start({ HTTP_PROXY: proxy.address() });
    await product.isReady();
    await until(async () => (await opened()) === before + 2, { what: 'two connections' });
    proxy.answer('apps.connections.open', '{"ok":false,"error":"invalid_auth"}');
    await people.delivery({ do: 'kill-socket' });
    expect(await product.ended).toBe(1);
    const fatal = product.lines.filter((line) => line.includes('"level":60'));
    expect(fatal).toHaveLength(1);
    expect(fatal[0]).toContain('Slack rejected SLACK_APP_TOKEN: invalid_auth');
    expect(product.lines.join('\n')).not.toMatch(/unhandled|app\.uncaught/);
  });
});

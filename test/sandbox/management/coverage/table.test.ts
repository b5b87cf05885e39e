/**
 * The table and the service have the same endpoints, and no proof holds without what it proves. Paths, headers and
 * statuses; fields of answers: present in every row, with the right type.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/lib/clock.ts';
import { createManagementApp, KEYS } from '../../../../src/sandbox/management/http-app.ts';
import { profileOf } from '../../../../src/sandbox/management/profiles.ts';
import { createRunningWorld } from '../../../../src/sandbox/management/world/running-world.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { START } from '../harness/service.ts';
import {
  COVERAGE_ROWS,
  type CoverageRow,
  PROFILES,
  rowsByEndpoint,
  testNameOf,
} from '../interface/coverage.ts';
import { ENDPOINTS, type EndpointSpec, endpointTitle, type ProfileName } from '../interface/endpoints.ts';
import { ALL_WINDOWS, ANSWERS_ABOUT, isPlainError, prepare, requestFor } from './sample-requests.ts';
import {
  assertClaim,
  assertRefused,
  assertSame,
  type CoverageReply,
  type CoverageRequest,
  type CoverageStage,
  fieldTest,
  itemsIn,
  itemsOf,
  type Proof,
  parentsOf,
  prove,
  type SendRequest,
  sendWithout,
  startCoverageStage,
  Unproven,
  withoutField,
} from './stage.ts';

describe('the coverage table', () => {
  it('has every row once', () => {
    const names = COVERAGE_ROWS.map(
      ({ endpoint, kind, name, profiles }) => `${endpoint} ${kind} ${name} ${profiles}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('has only types that can be distinguished', () => {
    const types = COVERAGE_ROWS.filter(({ kind }) => kind === 'answer').map(({ type = '' }) => type);
    for (const profile of PROFILES) for (const type of types) expect(fieldTest(type, profile)).toBeDefined();
  });

  it.each(PROFILES)('names the routes of the %s service, and no other', (profile) => {
    const clock = createManualClock(START);
    const moving = createRunningWorld(clock, { devices: 10 });
    const app = createManagementApp({ clock, profile: profileOf(profile), world: () => moving });
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '/*')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    moving.end();
    clock.stop();
    expect(ENDPOINTS.map(endpointTitle).sort()).toEqual([...new Set(routes)].sort());
  });
});

const ROW: CoverageRow = {
  endpoint: 'GET /servers',
  kind: 'query',
  name: 'groupId',
  profiles: ['live'],
};

describe('a proof', () => {
  const stage = useStarted(() => startCoverageStage('live', 10));

  it('that holds without what it is about is refused', async () => {
    await expect(prove(stage, ROW, async () => undefined)).rejects.toThrow('holds without it');
  });

  it('that does not hold is refused', async () => {
    await expect(prove(stage, ROW, async () => assertClaim(false, 'never'))).rejects.toThrow('never');
  });

  it('that breaks instead of failing is refused', async () => {
    let asked = 0;
    const breaks = async () => {
      asked += 1;
      if (asked === 2) throw new TypeError('a mistake of the proof');
    };
    await expect(prove(stage, ROW, breaks)).rejects.toThrow('a mistake of the proof');
  });

  it.each<[CoverageRow['kind'], string, unknown]>([
    ['path', 'id', { endpoint: 'E', id: 8, query: { q: 1 }, body: { b: 1 }, headers: { h: '1' } }],
    ['query', 'q', { endpoint: 'E', id: 7, query: { q: null }, body: { b: 1 }, headers: { h: '1' } }],
    ['body', 'b=1', { endpoint: 'E', id: 7, query: { q: 1 }, body: {}, headers: { h: '1' } }],
    ['header', 'H', { endpoint: 'E', id: 7, query: { q: 1 }, body: { b: 1 }, headers: { h: null } }],
  ])('loses just its %s', async (kind, name, expected) => {
    const request = { endpoint: 'E', id: 7, query: { q: 1 }, body: { b: 1 }, headers: { h: '1' } };
    const seen: unknown[] = [];
    const ask = sendWithout(
      async (sent) => {
        seen.push(sent);
        return { status: 200, body: null };
      },
      { ...ROW, endpoint: 'E', kind, name },
    );
    await ask(request);
    await ask({ ...request, endpoint: 'another' });
    expect(seen).toEqual([expected, { ...request, endpoint: 'another' }]);
  });

  it('loses a field in every row, and inside of them', () => {
    const rows = [
      { id: 1, nics: [{ mac: 'a', type: 'b' }] },
      { id: 2, nics: [] },
    ];
    expect(withoutField(rows, 'nics[].mac')).toEqual([
      { id: 1, nics: [{ type: 'b' }] },
      { id: 2, nics: [] },
    ]);
    expect(itemsIn(withoutField({ size: 2, results: rows }, 'id')).map((row) => 'id' in row)).toEqual([
      false,
      false,
    ]);
  });
});

describe.each(PROFILES)('paths and statuses of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  it.each(ENDPOINTS.filter(({ only = profile }) => only !== profile).map(endpointTitle))(
    '%s is not there',
    async (title) => {
      assertSame((await stage.ask(requestFor(title, stage))).status, 404, 'the status');
    },
  );

  for (const { endpoint, title, rows } of rowsByEndpoint(['path', 'header', 'status'], profile))
    describe(title, () => {
      for (const row of rows) it(testNameOf(row), () => prove(stage, row, proofOf(endpoint, row)));
    });
});

function proofOf(endpoint: EndpointSpec, { kind, name }: CoverageRow): Proof {
  const title = endpointTitle(endpoint);
  return async (ask, stage) => {
    await prepare(title, stage);
    if (kind === 'path') {
      const about = ANSWERS_ABOUT[title];
      if (about === undefined) throw new Error(`Nothing says what the path of ${title} is about.`);
      await about(ask, stage);
    } else if (kind === 'header') {
      await claimHeader(ask, stage, endpoint, name);
    } else {
      await claimStatus(ask, stage, endpoint, Number(name));
    }
  };
}

/** Succeeds with the header, and not without it. */
async function claimHeader(
  ask: SendRequest,
  stage: CoverageStage,
  endpoint: EndpointSpec,
  name: string,
): Promise<void> {
  const request = requestFor(endpointTitle(endpoint), stage);
  const { status } = await ask(request);
  assertClaim(status < 300, `with ${name} the answer is ${status}`);
  const bare = await ask({ ...request, headers: { [name.toLowerCase()]: null } });
  assertClaim(bare.status >= 400 && bare.status < 500, `without ${name} the answer is ${bare.status}`);
}

/** A preview is a POST only because it has a body. */
function isWrite(method: EndpointSpec['method'], path: string): boolean {
  return method !== 'GET' && path !== '/policies/device-filters-preview';
}

async function claimStatus(
  ask: SendRequest,
  stage: CoverageStage,
  { path, query, ...endpoint }: EndpointSpec,
  status: number,
) {
  const request = requestFor(endpointTitle({ path, ...endpoint }), stage);
  switch (status) {
    case 400: {
      const [field = '', wrong] = 'o' in query ? ['o', 'mine'] : ['limit', 0];
      assertRefused(await ask({ ...request, query: { [field]: wrong } }), field);
      return;
    }
    case 401: {
      const reply = await ask({ ...request, headers: { authorization: 'Bearer of bad news' } });
      assertSame(reply, { status: 401, body: { errors: ['Unauthorized'] } }, 'the answer');
      return;
    }
    case 403: {
      // An unknown group is answered like a forbidden one.
      const absent = path === '/servergroups/{id}' ? [{ ...request, id: 1 }] : [];
      const readOnly = { ...request, headers: { authorization: `Bearer ${KEYS.readOnly}` } };
      const written = isWrite(endpoint.method, path) ? [readOnly] : [];
      for (const foreign of [{ ...request, query: { o: 1 } }, ...absent, ...written]) {
        const reply = await ask(foreign);
        assertClaim(
          reply.status === 403 && isPlainError(reply.body),
          `the answer is ${JSON.stringify(reply)}`,
        );
      }
      return;
    }
    case 404:
      assertSame(
        await ask({ ...request, id: 1 }),
        { status: 404, body: { errors: ['Not found'] } },
        'the answer',
      );
      return;
    default:
      assertSame((await ask(request)).status, status, 'the status');
  }
}

/** Throws where a row of the answer lacks the field or has it with another type. */
function claimField(reply: CoverageReply, { name, type = '' }: CoverageRow, profile: ProfileName): void {
  const { fits, nullable, loose } = fieldTest(type, profile);
  let seen = 0;
  for (const thing of itemsOf(reply)) {
    const { holders, last } = parentsOf(thing, name);
    for (const holder of holders) {
      const value = holder[last];
      if (loose && !fits(value) && isNothing(value)) continue;
      assertClaim(value !== undefined, `${name} is missing in ${JSON.stringify(holder).slice(0, 200)}`);
      assertClaim(
        fits(value) || (nullable && value === null),
        `${name} is ${JSON.stringify(value)}, no ${type}`,
      );
      seen += 1;
    }
  }
  assertClaim(seen > 0, `${name} was never there`);
}

/** What a field of which the service sends nothing was seen to have. */
function isNothing(value: unknown): boolean {
  return !value || Object.keys(Object(value)).length === 0;
}

describe.each(PROFILES)('answers of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const { title, rows } of rowsByEndpoint(['answer'], profile)) {
    describe(title, () => {
      let reply: CoverageReply;
      beforeAll(async () => {
        stage.management.reset();
        await prepare(title, stage);
        reply = { status: 200, body: await thingsToLookAt(title, stage) };
      });

      for (const row of rows)
        it(testNameOf(row), async () => {
          claimField(reply, row, profile);
          const harmed = await sendWithout(async () => reply, row)(requestFor(title, stage));
          if (holds(() => claimField(harmed, row, profile))) throw new Error(`It holds without ${row.name}.`);
        });
    });
  }
});

/** The named devices of the seed; 4025 is a Mac. */
const NAMED_DEVICES = Array.from({ length: 12 }, (_, index) => 4_001 + index);

/** Further objects for each request: each lacks some fields of the others. */
const OTHERS: Readonly<Record<string, readonly number[]>> = {
  'GET /servers/{id}': [...NAMED_DEVICES, 4_025],
  'GET /servers/{id}/packages': NAMED_DEVICES,
  // A group with a color beside one with an update server.
  'GET /servergroups/{id}': [3_110],
};

async function thingsToLookAt(title: string, stage: CoverageStage): Promise<readonly unknown[]> {
  const request = requestFor(title, stage);
  const requests = [request, ...(OTHERS[title] ?? []).map((id) => ({ ...request, id }))];
  const replies = await Promise.all(requests.map(stage.ask));
  return replies.flatMap(({ body }) => itemsIn(body));
}

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Unproven) return false;
    throw error;
  }
}

/** More devices than fit on a page. */
const DEVICES = 510;

describe('without a limit the service answers', () => {
  const stage = useStarted(() => startCoverageStage('live', DEVICES));
  beforeAll(() => {
    for (const _ of [1, 2]) stage.management.world({ do: 'storm', count: 300 });
  });

  it.each<[number, CoverageRequest]>([
    [500, { endpoint: 'GET /servers' }],
    [500, { endpoint: 'GET /events' }],
    [500, { endpoint: 'GET /servers/{id}/packages', id: 4_009 }],
    [25, { endpoint: 'POST /policies/device-filters-preview', body: ALL_WINDOWS }],
  ])('%i rows to %o', async (rows, request) => {
    expect(itemsIn((await stage.ask(request)).body)).toHaveLength(rows);
    const next = await stage.ask({ ...request, query: { page: 1 } });
    expect(itemsIn(next.body).length).toBeGreaterThan(0);
  });
});

/** Paths, headers and statuses. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  ENDPOINTS,
  PROFILES,
  rowsOf,
  served,
  testOf,
  titleOf,
} from '../../../../src/sandbox/management/coverage/coverage.ts';
import type { Endpoint, Row } from '../../../../src/sandbox/management/coverage/row.ts';
import { KEYS } from '../../../../src/sandbox/management/keys.ts';
import type { Ask } from './ask.ts';
import { claim, claimRefused, claimSame } from './claim.ts';
import { ABOUT, isPlainError, prepare, requestFor } from './requests.ts';
import { type Proof, prove, type Stage, startStage } from './stage.ts';

describe.each(PROFILES)('doors of the %s service', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(profile);
  });
  afterAll(() => stage.stop());

  it.each(ENDPOINTS.filter(({ only = profile }) => only !== profile).map(titleOf))(
    '%s is not there',
    async (title) => {
      claimSame((await stage.ask(requestFor(title, stage))).status, 404, 'the status');
    },
  );

  for (const endpoint of served(profile))
    describe(titleOf(endpoint), () => {
      for (const row of rowsOf(endpoint).filter(({ kind }) => ['path', 'header', 'status'].includes(kind)))
        it(testOf(row), () => prove(stage, row, proofOf(endpoint, row)));
    });
});

function proofOf(endpoint: Endpoint, { kind, name }: Row): Proof {
  const title = titleOf(endpoint);
  return async (ask, stage) => {
    await prepare(title, stage);
    if (kind === 'path') {
      const about = ABOUT[title];
      if (about === undefined) throw new Error(`Nothing says what the path of ${title} is about.`);
      await about(ask, stage);
    } else if (kind === 'header') {
      await claimHeader(ask, stage, endpoint, name);
    } else {
      await claimStatus(ask, stage, endpoint, Number(name));
    }
  };
}

/** Goes well with the header, and not without it. */
async function claimHeader(ask: Ask, stage: Stage, endpoint: Endpoint, name: string): Promise<void> {
  const request = requestFor(titleOf(endpoint), stage);
  const { status } = await ask(request);
  claim(status < 300, `with ${name} the answer is ${status}`);
  const bare = await ask({ ...request, headers: { [name.toLowerCase()]: null } });
  claim(bare.status >= 400 && bare.status < 500, `without ${name} the answer is ${bare.status}`);
}

/** A preview is asked by POST because of its body. */
function isWrite(method: Endpoint['method'], path: string): boolean {
  return method !== 'GET' && path !== '/policies/device-filters-preview';
}

async function claimStatus(ask: Ask, stage: Stage, { path, query, ...endpoint }: Endpoint, status: number) {
  const request = requestFor(titleOf({ path, ...endpoint }), stage);
  switch (status) {
    case 400: {
      const [field = '', wrong] = 'o' in query ? ['o', 'mine'] : ['limit', 0];
      claimRefused(await ask({ ...request, query: { [field]: wrong } }), field);
      return;
    }
    case 401: {
      const reply = await ask({ ...request, headers: { authorization: 'Bearer of bad news' } });
      claimSame(reply, { status: 401, body: { errors: ['Unauthorized'] } }, 'the answer');
      return;
    }
    case 403: {
      // A group that is not there answers as if it were somebody else's.
      const absent = path === '/servergroups/{id}' ? [{ ...request, id: 1 }] : [];
      const readOnly = { ...request, headers: { authorization: `Bearer ${KEYS.readOnly}` } };
      const written = isWrite(endpoint.method, path) ? [readOnly] : [];
      for (const foreign of [{ ...request, query: { o: 1 } }, ...absent, ...written]) {
        const reply = await ask(foreign);
        claim(reply.status === 403 && isPlainError(reply.body), `the answer is ${JSON.stringify(reply)}`);
      }
      return;
    }
    case 404:
      claimSame(
        await ask({ ...request, id: 1 }),
        { status: 404, body: { errors: ['Not found'] } },
        'the answer',
      );
      return;
    default:
      claimSame((await ask(request)).status, status, 'the status');
  }
}

/** Paths, headers and statuses. */

import { describe, it } from 'vitest';
import { KEYS } from '../../../../src/sandbox/management/http-app.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { type CoverageRow, PROFILES, rowsByEndpoint, testNameOf } from '../interface/coverage.ts';
import { ENDPOINTS, type EndpointSpec, endpointTitle } from '../interface/endpoints.ts';
import { ANSWERS_ABOUT, isPlainError, prepare, requestFor } from './sample-requests.ts';
import type { SendRequest } from './stage.ts';
import {
  assertClaim,
  assertRefused,
  assertSame,
  type CoverageStage,
  type Proof,
  prove,
  startCoverageStage,
} from './stage.ts';

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

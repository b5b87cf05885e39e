/**
 * The local service in its live profile and the product's client, endpoint by endpoint and key by key, against what is
 * recorded and published of the real service.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { startCoverageStage } from '../coverage/stage.ts';
import { CLIENT_READERS, keysRead, losesRow, notUnderstood } from './client-keys.ts';
import { KNOWN_DISAGREEMENTS } from './known-disagreements.ts';
import { LEFT_OUT, whyLeftOut } from './left-out.ts';
import { type OurAnswers, ourAnswers } from './our-answers.ts';
import { differences, ENDPOINTS, mergeShapes, type Shapes, shapesOf, sourcesOf } from './sources.ts';

const stage = useStarted(() => startCoverageStage('live'));
let answers: OurAnswers = {};
beforeAll(async () => {
  answers = await ourAnswers(stage);
});

const THEIRS: ReadonlyMap<string, Shapes> = new Map(
  ENDPOINTS.map((endpoint) => [endpoint, mergeShapes(sourcesOf(endpoint).map(({ shapes }) => shapes))]),
);
const theirShapes = (endpoint: string): Shapes => THEIRS.get(endpoint) ?? new Map();

function knownOf(endpoint: string): readonly string[] {
  return KNOWN_DISAGREEMENTS.filter(({ endpoints }) => endpoints.includes(endpoint)).flatMap(
    ({ paths, what }) => paths.map((path) => `${path} ${what}`),
  );
}

describe.each(ENDPOINTS)('%s of the local service', (endpoint) => {
  it('has the keys, types and nulls that are known, or says who says otherwise', () => {
    const ours = shapesOf(answers[endpoint] ?? []);
    expect(ours.size).toBeGreaterThan(8);
    const found = differences(ours, theirShapes(endpoint)).map(({ path, what }) => `${path} ${what}`);
    expect(found.sort()).toEqual([...knownOf(endpoint)].sort());
  });
});

const READ_THOUGH_UNKNOWN: Readonly<Record<string, readonly string[]>> = {
  // Lists leave policies out; those of a single device have an id (ServerWithPolicies of openapi-defs).
  'GET /servers': ['server_policies[].id'],
  // A device that is marked as deleted is none, wherever it is listed.
  'POST /policies/device-filters-preview': ['deleted'],
};

describe.each(Object.entries(CLIENT_READERS))('%s in the client', (endpoint, read) => {
  const theirs = theirShapes(endpoint);

  it('every key is understood in each of its types, or left out for a reason', () => {
    const silent = [...theirs.keys()].filter((path) => notUnderstood(read, theirs, path).length > 0);
    expect(silent.filter((path) => whyLeftOut(endpoint, path) === null)).toEqual([]);
  });

  it('no key is read that nobody knows', () => {
    const unknown = [...keysRead(read, theirs)].filter((path) => !theirs.has(path));
    expect(unknown).toEqual(READ_THOUGH_UNKNOWN[endpoint] ?? []);
  });

  it('a null at any key but its own id loses no row', () => {
    expect([...theirs.keys()].filter((path) => losesRow(read, theirs, path))).toEqual(['id']);
  });
});

describe('the rows of disagreements', () => {
  it('leave out nothing that the client reads', () => {
    const used = LEFT_OUT.filter(({ endpoint, paths }) =>
      Object.entries(CLIENT_READERS).some(
        ([title, read]) =>
          endpoint.test(title) &&
          [...theirShapes(title).keys()].some(
            (path) =>
              paths.some((own) => path.startsWith(own)) &&
              notUnderstood(read, theirShapes(title), path).length > 0,
          ),
      ),
    );
    expect(used).toEqual(LEFT_OUT);
  });

  it('are assumptions for less than one key in a hundred', () => {
    const keys = ENDPOINTS.flatMap((endpoint) => [
      ...mergeShapes([shapesOf(answers[endpoint] ?? []), theirShapes(endpoint)]).keys(),
    ]);
    const assumed = KNOWN_DISAGREEMENTS.filter((row) => row.assumed).flatMap(({ endpoints, paths }) =>
      endpoints.flatMap(() => paths),
    );
    expect(keys.length).toBeGreaterThan(500);
    expect(assumed.length / keys.length).toBeLessThan(0.01);
  });
});

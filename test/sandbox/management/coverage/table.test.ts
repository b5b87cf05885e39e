/** The table and the service have the same endpoints, and the table matches the document. */
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/lib/clock.ts';
import { createManagementApp } from '../../../../src/sandbox/management/http-app.ts';
import { profileOf } from '../../../../src/sandbox/management/profiles.ts';
import { createRunningWorld } from '../../../../src/sandbox/management/world/running-world.ts';
import { START } from '../harness/service.ts';
import { COVERAGE_ROWS, ENDPOINTS, endpointTitle, PROFILES } from '../interface/coverage.ts';
import { DOCUMENTED_ENDPOINTS } from '../interface/documented-endpoints.ts';
import { LISTED_COMMAND_TYPES, LISTED_EVENT_NAMES } from '../interface/listed-values.ts';
import type { EndpointSpec, FieldTypes, ParameterSpecs } from '../interface/row-types.ts';
import * as shapes from '../interface/shapes.ts';
import {
  answerIn,
  deviceFields,
  endpointIn,
  fieldsIn,
  type NamedType,
  parametersIn,
  wordsUnder,
} from './interface-document.ts';
import { fieldTest } from './type-checks.ts';

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

/** Table types for values that the document describes as text. */
const SPECIAL_TEXTS = /^(?:digits|color|.* time)$/;

function spoken(shape: FieldTypes): readonly NamedType[] {
  return Object.entries(shape).map(([name, type]) => {
    const base = type.replace(/\?$| or null$/, '');
    const nullable = type.endsWith(' or null');
    return { name, type: SPECIAL_TEXTS.test(base) ? 'string' : base, nullable };
  });
}

/** Equal, except for types that the document does not show. */
function expectFields(shape: FieldTypes, document: readonly NamedType[]): void {
  const typed = document.map(({ name, type, nullable }) => {
    const ours = spoken(shape).find((field) => field.name === name);
    return type === '' && ours ? ours : { name, type, nullable };
  });
  const byName = (a: NamedType, b: NamedType) => (a.name < b.name ? -1 : 1);
  expect([...spoken(shape)].sort(byName)).toEqual([...typed].sort(byName));
}

describe('the fields of the document', () => {
  // Accepted on create and not returned (§2.1).
  const NOT_TOLD = ['enable_wsus', 'wsus_server'];

  it.each<[string, FieldTypes, readonly NamedType[]]>([
    ['2.1 groups', shapes.GROUP_SHAPE, fieldsIn('2.1').filter(({ name }) => !NOT_TOLD.includes(name))],
    ['2.2 devices', shapes.DEVICE_SHAPE, deviceFields()],
    ['2.6 packages', shapes.PACKAGE_SHAPE, fieldsIn('2.6')],
    ['2.7 queue entries', shapes.QUEUE_ENTRY_SHAPE, fieldsIn('2.7')],
    ['2.8 events', shapes.EVENT_SHAPE, fieldsIn('2.8')],
    ['4.1 a created group', shapes.CREATED_GROUP_SHAPE, answerIn('4.1')],
    ['4.2 a preview', { ...shapes.PREVIEW_SHAPE, ...shapes.PREVIEW_DOCUMENTED_FIELDS }, answerIn('4.2')],
  ])('§%s are those of the table', (_, shape, document) => {
    expect(document.length).toBeGreaterThan(8);
    expectFields(shape, document);
  });
});

describe('the parameters of the document', () => {
  const documented = (parameters: ParameterSpecs = {}): ParameterSpecs =>
    Object.fromEntries(Object.entries(parameters).filter(([, { source }]) => source === undefined));

  it.each(
    DOCUMENTED_ENDPOINTS.map((endpoint) => [endpoint.section, endpointTitle(endpoint), endpoint] as const),
  )('§%s %s are those of the table', (section: string, title: string, { query, body }: EndpointSpec) => {
    expect(endpointIn(section)).toBe(title);
    for (const [place, ours] of [
      ['Query', query],
      ['Body', body],
    ] as const) {
      const theirs = parametersIn(section, place);
      expect(Object.keys(documented(ours)).sort()).toEqual(theirs.map(({ name }) => name).sort());
      for (const { name, required, ...rules } of theirs) {
        expect(ours?.[name], name).toMatchObject(rules);
        expect(ours?.[name]?.required ?? false, name).toBe(required);
      }
    }
  });

  it('have the listed words', () => {
    expect(wordsUnder('command_type_name | Effect')).toEqual([...LISTED_COMMAND_TYPES]);
    expect(wordsUnder('Event name | Meaning')).toEqual([...LISTED_EVENT_NAMES]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readList } from '../../../src/fleet/schema/rows.ts';
import { formOf, type Row, type Table } from './document.ts';
import { TABLES } from './document-lists.ts';
import { FIELD_COVERAGE, type FieldMapping, type FieldMappings } from './field-mappings.ts';
import { at, fieldsOf, isPlain, put, READERS, wholeRow } from './rows-of.ts';

type Case = {
  readonly name: string;
  readonly table: Table;
  readonly path: string;
  readonly kind: Parameters<typeof formOf>[0];
  readonly place: FieldMapping;
};

const mappingsOf = (table: Table): FieldMappings => FIELD_COVERAGE[table.section];
const CASES: readonly Case[] = TABLES.flatMap((table) =>
  fieldsOf(table).map(([field, kind]) => ({
    name: `${table.section} ${field}`,
    table,
    path: table.under + field,
    kind,
    place: mappingsOf(table)[field] ?? { leftOut: '' },
  })),
);
const modelled = CASES.flatMap((one) =>
  typeof one.place === 'string' ? [{ ...one, place: one.place }] : [],
);
const named = (cases: readonly Case[]) => cases.map((one) => [one.name, one] as const);

const read = (table: Table, row: Row) => READERS[table.resource](row);
function modelOf(table: Table, row: Row): object {
  const result = read(table, row);
  if (result.kind !== 'row') throw new Error(`not read: ${result.kind}`);
  return result.row;
}
/** A row in which nothing else hides the field: the name in an event's data counts when the event has none. */
const rowFor = ({ table, path }: Case): Row =>
  path === 'data.systemname' ? put(wholeRow(table.resource), 'server_name', null) : wholeRow(table.resource);

describe('the table of fields', () => {
  it.each(TABLES.map((table) => [table.section, table] as const))(
    'has every field of %s and no other',
    (_, table) => {
      expect(Object.keys(mappingsOf(table)).sort()).toEqual(
        fieldsOf(table)
          .map(([field]) => field)
          .sort(),
      );
    },
  );

  it('has every part of the document that lists fields of an answer', () => {
    expect(TABLES.map(({ section }) => section).sort()).toEqual(Object.keys(FIELD_COVERAGE).sort());
  });
});

describe('a field in the model', () => {
  it.each(named(modelled))('%s changes it at the path in the table', (_, one) => {
    const { one: value, other } = formOf(one.kind);
    const [before, after] = [value, other].map((sent) =>
      modelOf(one.table, put(rowFor(one), one.path, sent)),
    );
    const place = String(one.place);
    expect(at(before, place)).not.toEqual(at(after, place));
    expect([at(before, place), at(after, place)]).not.toContain(undefined);
  });

  it.each(named(modelled.filter(({ kind }) => formOf(kind).alike !== undefined)))(
    '%s means the same in every form',
    (_, one) => {
      const usual = modelOf(one.table, put(rowFor(one), one.path, formOf(one.kind).one));
      for (const form of formOf(one.kind).alike ?? [])
        expect(modelOf(one.table, put(rowFor(one), one.path, form)), JSON.stringify(form)).toEqual(usual);
    },
  );
});

describe('a field that is left out', () => {
  it.each(named(CASES.filter(({ place }) => typeof place === 'object' && 'leftOut' in place)))(
    '%s changes nothing and has a reason',
    (_, one) => {
      const { one: value, other } = formOf(one.kind);
      const [before, after] = [value, other].map((sent) =>
        modelOf(one.table, put(rowFor(one), one.path, sent)),
      );
      expect(before).toEqual(after);
      expect(one.place).toMatchObject({ leftOut: expect.stringMatching(/\w{3}/) });
    },
  );
});

describe('a field that is checked', () => {
  it.each(named(CASES.filter(({ place }) => typeof place === 'object' && 'checked' in place)))(
    '%s rejects a row of another owner, or of something that is gone',
    (_, one) => {
      expect(read(one.table, rowFor(one)).kind).toBe('row');
      const other = read(one.table, put(rowFor(one), one.path, formOf(one.kind).other));
      expect(['foreign', 'stray', 'deleted']).toContain(other.kind);
    },
  );
});

describe('a field with an unexpected value', () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      undefined,
      null,
      {},
      [],
      [null],
      [[null]],
      '',
      '0',
      0,
      -1,
      1e300,
      '9'.repeat(400),
    ),
    fc.constantFrom<unknown>(true, 'True', '<!channel>', '\u0000', '\ud800', '__proto__', 'x'.repeat(10_000)),
    fc.anything({ maxDepth: 3, withNullPrototype: true }),
  );
  const isOwner = ({ path, place }: Case) => path === 'id' || typeof place === 'object';

  it.each(named(CASES.filter((one) => !isOwner(one))))('%s never loses its row', (_, one) => {
    const row = rowFor(one);
    fc.assert(
      fc.property(odd, (value) => {
        const model = modelOf(one.table, put(row, one.path, value));
        expect(at(model, 'x.id')).toBe(11);
        expect(isPlain(model)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each(TABLES.map((table) => [table.resource, table] as const))(
    'all at once never lose a page of %s: only rows without an id are missing, and they are counted',
    (_, table) => {
      const whole = wholeRow(table.resource);
      const fields = fieldsOf(table).filter(([field]) => !/^(id|.*_id|deleted)$/.test(field));
      const row = fc
        .record(Object.fromEntries(fields.map(([field]) => [field, odd])))
        .map((values) =>
          Object.entries(values).reduce((all, [field, value]) => put(all, table.under + field, value), whole),
        );
      const lost = fc.constantFrom<unknown>(null, [], 'x', 7, { id: 0 }, { id: {} }, { id: 'five' });
      fc.assert(
        fc.property(fc.array(row, { maxLength: 3 }), fc.array(lost, { maxLength: 3 }), (odd, unreadable) => {
          const rows = readList([...unreadable, ...odd, whole], READERS[table.resource]);
          expect(rows).toMatchObject({ kind: 'rows', unreadable: unreadable.length, foreignRows: 0 });
          expect(rows.kind === 'rows' && rows.rows.length).toBe(odd.length + 1);
        }),
        { numRuns: 30 },
      );
    },
  );
});

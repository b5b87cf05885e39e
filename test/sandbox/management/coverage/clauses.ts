/** Device filters (§2.9): each field with each operator matches the right devices. */
import type { ProfileName } from '../interface/row-types.ts';
import { assertClaim, assertSame, itemsOf } from './claim.ts';
import type { Proof } from './coverage-harness.ts';
import type { Json } from './json-fields.ts';
import { EVERY_GROUP } from './sample-requests.ts';

type Field = { readonly values: readonly string[]; readonly of: (device: Json) => readonly unknown[] };

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const FIELDS: Readonly<Record<string, Field>> = {
  os_family: { values: ['Windows', 'Mac'], of: ({ os_family: family }) => [family] },
  os_version_id: { values: ['5103'], of: ({ os_version_id: id }) => [String(id)] },
  ip_addr: {
    values: ['203.0.113.1'],
    // Assumption (§2.9): public and private addresses alike.
    of: (device) => [...list(device['ip_addrs']), ...list(device['ip_addrs_private'])],
  },
  tag: { values: ['produc', 'nowhere'], of: ({ tags }) => list(tags) },
  hostname: { values: ['WEB', 'kiosk'], of: ({ name }) => [name] },
  organizational_unit: { values: ['ou=servers'], of: ({ organizational_unit: unit }) => [unit] },
  serial_number: { values: ['PF3DUP'], of: ({ serial_number: serial }) => [serial] },
};

function takesIn(op: string, own: readonly unknown[], values: readonly string[]): boolean {
  const texts = own.map((value) => String(value).toLowerCase());
  const found = values
    .map((value) => value.toLowerCase())
    .some((value) => texts.some((text) => (op.endsWith('in') ? text === value : text.includes(value))));
  return op.startsWith('not') ? !found : found;
}

/** The live service spells it with an underscore. */
function spelled(op: string, profile: ProfileName): string {
  return op === 'not in' && profile === 'live' ? 'not_in' : op;
}

/** The proof of `hostname like_any` and the like. */
export function proofOfClause(clause: string): Proof {
  const [name = '', ...words] = clause.split(' ');
  const op = words.join(' ');
  return async (ask, { profile }) => {
    const field = FIELDS[name];
    if (field === undefined) throw new Error(`Nothing says what ${name} looks at.`);
    const all = itemsOf(await ask({ endpoint: 'GET /servers' }));
    const expected = all.filter((device) => takesIn(op, field.of(device), field.values)).map(({ id }) => id);
    assertClaim(expected.length > 0 && expected.length < all.length, `${clause} takes in ${expected.length}`);
    const body = {
      device_filters: [{ field: name, op: spelled(op, profile), value: field.values }],
      server_groups: EVERY_GROUP,
    };
    const reply = await ask({
      endpoint: 'POST /policies/device-filters-preview',
      query: { limit: 200 },
      body,
    });
    assertSame(
      itemsOf(reply).map(({ id }) => id),
      expected,
      clause,
    );
  };
}

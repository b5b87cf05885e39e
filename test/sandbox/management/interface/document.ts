/** Reads the tables of the interface document from its text. */
import { readFileSync } from 'node:fs';

export type NamedType = { readonly name: string; readonly type: string; readonly nullable: boolean };
export type NamedParameter = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly least?: number;
  readonly most?: number;
  readonly otherwise?: number;
};

const TEXT = readFileSync(
  new URL('../../../fixtures/management/interface-tables.md', import.meta.url),
  'utf8',
);

/** The text below `### 4.5 …`. */
function section(number: string): string {
  const [, found] = TEXT.split(`\n### ${number} `);
  if (found === undefined) throw new Error(`The document has no section ${number}.`);
  return found.split('\n## ')[0]?.split('\n### ')[0] ?? '';
}

/** `GET /servers` and the like, by section. */
export function endpointIn(number: string): string {
  return /^`(.+)`$/m.exec(section(number))?.[1] ?? '';
}

function cellsIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/^\|(?!-)(.+)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
}

/** First cells of the table under `head`. */
export function wordsUnder(head: string): readonly string[] {
  const [, table = ''] = TEXT.split(`\n| ${head} |`);
  return cellsIn(table.split('\n\n')[0]?.split(/\n(?!\|)/)[0] ?? '').map(([word = '']) => word);
}

/** The fields of §2.n, including those of nested objects. */
export function fieldsIn(number: string, prefix = ''): readonly NamedType[] {
  const [first = ''] = section(number)
    .trim()
    .split(/(?<=\|)\n\n?(?!\|)|\n\| Name \|/)
    .slice(0, 1);
  const [, ...rows] = cellsIn(first);
  return rows.flatMap(([names = '', type = '']) =>
    names.split(', ').flatMap((name) => [
      { name: prefix + name, ...typeOf(type) },
      ...namesIn(/objects? with (.*)/.exec(type)?.[1] ?? '').map((inner) => ({
        ...inner,
        name: `${prefix}${name}${type.startsWith('array') ? '[]' : ''}.${inner.name}`,
      })),
    ]),
  );
}

/** `id (integer), uuid (string), …` */
function namesIn(text: string): readonly NamedType[] {
  return [...text.matchAll(/(\w+) \(([^)]+)\)/g)].map(([, name = '', type = '']) => ({
    name,
    ...typeOf(type),
  }));
}

/** The answer fields in an endpoint's own section. */
export function answerIn(number: string): readonly NamedType[] {
  const text = /^Response.*$/m.exec(section(number))?.[0] ?? '';
  const [, typed] = text.split('Each result has ');
  if (typed !== undefined) return namesIn(typed);
  const [, bare = ''] = text.split('with fields ');
  return bare
    .replace(/\.$/, '')
    .split(', ')
    .map((name) => ({ name, type: '', nullable: false }));
}

function typeOf(words: string): Omit<NamedType, 'name'> {
  return { type: baseOf(words), nullable: /or null|null or/.test(words) };
}

/** Empty where the document does not say. */
function baseOf(words: string): string {
  if (/^array of string|shows an array of strings/.test(words)) return 'strings';
  if (words.startsWith('array of integer')) return 'integers';
  if (words.startsWith('timestamp')) return 'string';
  if (words.startsWith('null or')) return 'value';
  return /^(?:array|object|integer|boolean|string)/.exec(words)?.[0] ?? '';
}

/** The fields of a device, with everything nested in it. */
export function deviceFields(): readonly NamedType[] {
  return [
    ...fieldsIn('2.2'),
    ...fieldsIn('2.3', 'detail.'),
    ...fieldsIn('2.4', 'policy_status[].'),
    ...fieldsIn('2.5', 'status.'),
  ];
}

/** The forms of texts in §2.n, by field: as a sample of the form, such as `YYYY-MM-DDThh:mm:ss+0000` or `digits`. */
export function formsIn(number: string, prefix = ''): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const [names = '', type = '', notes = ''] of cellsIn(section(number))) {
    const form = formOf(`${type} ${notes}`);
    if (form !== null) for (const name of names.split(', ')) forms.set(prefix + name, form);
    for (const [, inner = '', words = ''] of type.matchAll(/(\w+) \(([^)]+)\)/g)) {
      const nested = formOf(words);
      if (nested !== null)
        forms.set(`${prefix}${names}${type.startsWith('array') ? '[]' : ''}.${inner}`, nested);
    }
  }
  return forms;
}

/** "Same form" and a timestamp without a form are those of a device. */
function formOf(words: string): string | null {
  if (/string of digits|Numeric text/.test(words)) return 'digits';
  if (/milliseconds and `Z`/.test(words)) return 'YYYY-MM-DDThh:mm:ss.fffZ';
  const shown = /[Ff]orm(?:at)?(?: of the form)? `([^`]+)`/.exec(words)?.[1];
  if (shown !== undefined) return shown;
  return /^string Timestamp|timestamp/.test(words) ? 'YYYY-MM-DDThh:mm:ss+0000' : null;
}

export function statusIn(number: string): number {
  return Number(/Response:? `(\d+) /.exec(section(number))?.[1]);
}

/** The operators of each field of a device filter (§2.9). */
export function filterOperators(): ReadonlyMap<string, readonly string[]> {
  const [, table = ''] = section('2.9').split('| Field | Supported operators | Value type |');
  return new Map(cellsIn(table).map(([field = '', operators = '']) => [field, operators.split(', ')]));
}

/** Parameters of the query or the body, from a table or from a sentence. */
export function parametersIn(number: string, place: 'Query' | 'Body'): readonly NamedParameter[] {
  const text = section(number);
  const sentence = new RegExp(`${place}: (\`.*)`).exec(text)?.[1];
  if (sentence !== undefined) {
    const [listed = ''] = sentence.split(/\. (?:Response|Header|`)/);
    return [...listed.matchAll(/`(\w+)` \(([^)]*)\)/g)].map(([, name = '', words = '']) =>
      parameterOf(name, words, words.includes('required'), words),
    );
  }
  const [, below = ''] = text.split(new RegExp(`^${place}.*\\n`, 'm'));
  const [table = ''] = below.split(/\n(?!\|)|\n\| command_type_name \| Effect/);
  const [head = [], ...rows] = cellsIn(table);
  return rows.map(([name = '', type = '', third = '', rule = '']) =>
    parameterOf(name, type, head.includes('Required') && third === 'yes', rule),
  );
}

function parameterOf(name: string, words: string, required: boolean, rule: string): NamedParameter {
  const type = baseOf(words);
  const [, least, most] =
    /(\d+) to (\d+)/.exec(rule) ?? (type === 'integer' ? /^(0) or (1)/.exec(rule) : null) ?? [];
  const otherwise = /default (\d+)/.exec(rule)?.[1];
  return {
    name,
    type,
    required,
    ...(least === undefined ? {} : { least: Number(least) }),
    ...(/starts at 0/i.test(rule) ? { least: 0 } : {}),
    ...(most === undefined ? {} : { most: Number(most) }),
    ...(otherwise === undefined ? {} : { otherwise: Number(otherwise) }),
  };
}

/** YAML as people write it: every fault is one line that says where it is and what to do. */
import {
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';

type YamlRead =
  | {
      readonly kind: 'value';
      readonly value: unknown;
      /** Where the key or list item at a path is, or the nearest one above it: `line 2, column 3`. */
      readonly placeOf: (path: readonly PropertyKey[]) => string;
      /** The lines on which each text stands as a value. */
      readonly lines: ReadonlyMap<string, readonly number[]>;
    }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

/** Later faults usually follow from the first ones. */
const MAX_FAULTS = 3;

/** The parser takes minutes for some thousands of brackets that stay open, while everybody waits. */
const TOO_DEEP = /(?:[[{]\s*){100}|(?:- ){100}/;

/** Never throws, and prints nothing. Each fault is one line. */
export function readYaml(text: string): YamlRead {
  const deep = TOO_DEEP.exec(text);
  if (deep !== null) {
    const lines = text.slice(0, deep.index).split('\n');
    const at = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    return { kind: 'faults', faults: [`${at}: ${FAULT_TEXTS.RESOURCE_EXHAUSTION}`] };
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { logLevel: 'error', lineCounter, stringKeys: true });
  const place = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const fault = (code: ErrorCode, offset: number) =>
    `${place(offset)}: not valid YAML${nearestKeyText(document, offset)}: ${FAULT_TEXTS[code]}`;
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    const faults = wrong.map(({ code, pos }) => fault(code, pos[0]));
    return { kind: 'faults', faults: [...new Set(faults)].slice(0, MAX_FAULTS) };
  }
  try {
    const value: unknown = document.toJS();
    const lines = linesOfTexts(document, lineCounter);
    return { kind: 'value', value, placeOf: (path) => place(offsetOf(document, path)), lines };
  } catch {
    // Only references can fail here: one without a target, or so many that they would fill the memory.
    return { kind: 'faults', faults: [fault('BAD_ALIAS', firstReference(document))] };
  }
}

function linesOfTexts(document: Document, counter: LineCounter): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key' || typeof node.value !== 'string') return;
      const { line } = counter.linePos(startOf(node, 0));
      lines.set(node.value, [...(lines.get(node.value) ?? []), line]);
    },
  });
  return lines;
}

function nearestKeyText(document: Document, offset: number): string {
  const keys: string[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && startOf(key, offset + 1) <= offset) keys.push(String(key.value));
    },
  });
  const nearest = keys.at(-1);
  return nearest === undefined ? '' : ` near \`${nearest}\``;
}

function firstReference(document: Document): number {
  const starts: number[] = [];
  visit(document, { Alias: (_, alias) => void starts.push(startOf(alias, 0)) });
  return starts[0] ?? 0;
}

function offsetOf({ contents }: Document, path: readonly PropertyKey[]): number {
  let node: unknown = contents;
  let offset = startOf(node, 0);
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const inside: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    offset = startOf(pair?.key ?? inside, offset);
    node = inside;
  }
  return offset;
}

function startOf(node: unknown, otherwise: number): number {
  return isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise;
}

const INDENT = 'close every bracket, and start all keys of one level in the same column';
const REFERENCE = "references (`&name` and `*name`) aren't supported; write the value out";
const TAG = "tags (`!name`) aren't supported";
const STRUCTURE = 'check the brackets, colons and indentation';

const FAULT_TEXTS = {
  ALIAS_PROPS: REFERENCE,
  BAD_ALIAS: REFERENCE,
  BAD_COLLECTION_TYPE: TAG,
  BAD_DIRECTIVE: "lines that start with % aren't supported",
  BAD_DQ_ESCAPE: 'a backslash inside double quotes; use single quotes',
  BAD_INDENT: INDENT,
  BAD_PROP_ORDER: TAG,
  BAD_SCALAR_START: 'a value starts with a special character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'two keys on one line; put each on its own line',
  BLOCK_IN_FLOW: 'a block inside brackets; close the bracket first',
  DUPLICATE_KEY: 'a key is used twice',
  IMPOSSIBLE: STRUCTURE,
  KEY_OVER_1024_CHARS: 'a key is too long',
  MISSING_CHAR: 'a bracket, a quote or a colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing, or a key spans several lines',
  MULTIPLE_ANCHORS: REFERENCE,
  MULTIPLE_DOCS: 'several documents separated by ---; keep one',
  MULTIPLE_TAGS: TAG,
  NON_STRING_KEY: 'a key must be plain text',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'a tab at the start of a line; indent with spaces',
  TAG_RESOLVE_FAILED: TAG,
  UNEXPECTED_TOKEN: STRUCTURE,
} as const satisfies Record<ErrorCode, string>;

/** Reads YAML; faults come back in our own words, with their line. */
import { type ErrorCode, parseDocument } from 'yaml';

export type YamlRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

/** Later faults usually follow from the first ones. */
const MAX_FAULTS = 3;

/** Never throws, and prints nothing. Each fault is one line. */
export function readYaml(text: string): YamlRead {
  const document = parseDocument(text, { logLevel: 'error', prettyErrors: true, stringKeys: true });
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    const faults = wrong.map(({ code, linePos }) => yamlFaultText(code, linePos?.[0].line ?? null));
    return { kind: 'faults', faults: [...new Set(faults)].slice(0, MAX_FAULTS) };
  }
  try {
    return { kind: 'value', value: document.toJS() };
  } catch {
    // Only references can fail here: one without a target, or so many that they would fill the memory.
    return { kind: 'faults', faults: [yamlFaultText('BAD_ALIAS', null)] };
  }
}

function yamlFaultText(code: ErrorCode, line: number | null): string {
  const where = line === null ? 'not valid YAML' : `not valid YAML on line ${line}`;
  return `${where}: ${FAULT_TEXTS[code]}`;
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

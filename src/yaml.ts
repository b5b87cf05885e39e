/** Reads YAML; what is wrong with it comes back in our own words, with the line where it stands. */
import { type ErrorCode, parseDocument } from 'yaml';

export type YamlRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

/** More of them follow from the first ones. */
const MOST_FAULTS = 3;

/** Never throws, and prints nothing. Each fault is one line. */
export function readYaml(text: string): YamlRead {
  const document = parseDocument(text, { logLevel: 'error', prettyErrors: true, stringKeys: true });
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    const faults = wrong.map(({ code, linePos }) => faultText(code, linePos?.[0].line ?? null));
    return { kind: 'faults', faults: [...new Set(faults)].slice(0, MOST_FAULTS) };
  }
  try {
    return { kind: 'value', value: document.toJS() };
  } catch {
    // Only references can fail here: one that names nothing, or so many that they would fill the memory.
    return { kind: 'faults', faults: [faultText('BAD_ALIAS', null)] };
  }
}

function faultText(code: ErrorCode, line: number | null): string {
  const place = line === null ? 'is not YAML' : `is not YAML in line ${line}`;
  return `${place}: ${WORDS[code]}`;
}

const INDENT = 'check that every bracket is closed, and that parts of one level begin in the same column';
const TEXT = 'put the value in quotes';
const REFERENCE = 'references (`&name` and `*name`) are not understood here; write the value out';
const TAG = 'tags (`!name`) are not understood here';
const STRUCTURE = 'check the brackets, colons and indentation';

const WORDS = {
  ALIAS_PROPS: REFERENCE,
  BAD_ALIAS: REFERENCE,
  BAD_COLLECTION_TYPE: TAG,
  BAD_DIRECTIVE: 'lines that begin with % are not understood here',
  BAD_DQ_ESCAPE: 'a backslash inside double quotes; use single quotes',
  BAD_INDENT: INDENT,
  BAD_PROP_ORDER: TAG,
  BAD_SCALAR_START: `a value begins with a character that has a meaning of its own; ${TEXT}`,
  BLOCK_AS_IMPLICIT_KEY: 'two names in one line; put each on a line of its own',
  BLOCK_IN_FLOW: 'lines inside brackets; close the bracket first',
  DUPLICATE_KEY: 'the same name stands there twice',
  IMPOSSIBLE: STRUCTURE,
  KEY_OVER_1024_CHARS: 'a name is too long',
  MISSING_CHAR: 'a bracket, a quote or a colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing, or a name goes over several lines',
  MULTIPLE_ANCHORS: REFERENCE,
  MULTIPLE_DOCS: 'the file has several parts divided by ---; keep one',
  MULTIPLE_TAGS: TAG,
  NON_STRING_KEY: 'a name must be plain text',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
  TAB_AS_INDENT: 'a tab; indent with spaces',
  TAG_RESOLVE_FAILED: TAG,
  UNEXPECTED_TOKEN: STRUCTURE,
} as const satisfies Record<ErrorCode, string>;

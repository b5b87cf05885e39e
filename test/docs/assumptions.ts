/** What the code assumes where the interface's document is silent: the tagged comments, gathered. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Assumption = {
  /** Where its documents are silent, such as `§2.4, §2.5`. */
  readonly where: string;
  readonly path: string;
  readonly text: string;
};

/** All of `src`, by section of the document, then by file. */
export function assumptionsIn(root: string): readonly Assumption[] {
  const paths = globSync('src/**/*.{ts,js}', { cwd: root });
  const all = paths.flatMap((path) => assumptionsOf(path, readFileSync(join(root, path), 'utf8')));
  return all.toSorted((a, b) =>
    numberOf(a) === numberOf(b) ? compare(a.path, b.path) : numberOf(a) - numberOf(b),
  );
}

/** Those of one file: the tag and the sentence after it, to the end of its comment or paragraph. */
export function assumptionsOf(path: string, source: string): readonly Assumption[] {
  const found = source.matchAll(
    /Assumption \(([^)]+)\): ([\s\S]*?)(?=\*\/|\n\s*(?:\*\s*)?\n|\n(?!\s*(?:\/\/|\*)))/g,
  );
  return [...found].map(([, tag = '', words = '']) => ({
    where: tag.replaceAll(/\n\s*\*\s?/g, ' '),
    path,
    text: words
      .replaceAll(/\n\s*(?:\/\/|\*)\s?/g, ' ')
      .replaceAll(/\{@link (\w+)\}/g, '`$1`')
      .trim(),
  }));
}

/** A Markdown list for each part of the code. */
export function assumptionList(all: readonly Assumption[]): string {
  const slack = all.filter(({ path }) => path.startsWith('src/sandbox/slack/'));
  const service = all.filter(({ path }) => path.startsWith('src/sandbox/management/'));
  const product = all.filter((one) => !slack.includes(one) && !service.includes(one));
  return [
    `## Patchbay (${product.length})`,
    product.map(line).join('\n'),
    `## The local management service (${service.length})`,
    service.map(line).join('\n'),
    `## The local Slack (${slack.length})`,
    slack.map(line).join('\n'),
  ].join('\n\n');
}

function line({ where, path, text }: Assumption): string {
  const file = path.replace(/^src\//, '');
  return `- **${where}**: ${text} ([\`${file}\`](${file}))`;
}

/** By the first section that it names; what names none comes last. */
function numberOf({ where }: Assumption): number {
  const [, major, minor = '0'] = /§(\d+)(?:\.(\d+))?/.exec(where) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 1_000 + Number(minor);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

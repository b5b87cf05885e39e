/** `npm run config`: the configuration file checked before anything runs with it. */
import { readFileSync } from 'node:fs';
import { groupsNamed } from './commands/rules/compile-rules.ts';
import { failedTests } from './commands/rules/rule-tests.ts';
import { configurationPath } from './config/config.ts';
import { configurationJsonSchema } from './config/configuration-file.ts';
import { readWholeFile } from './configuration-in-force.ts';
import { createClock } from './lib/clock.ts';

const USAGE = 'Usage: npm run config -- check|test|schema [FILE]';

/** Sets the exit code: 0 nothing is wrong; 1 the file has faults, or a test of it fails; 2 it can't be read. */
export async function runConfig([verb = '', file, ...rest]: readonly string[]): Promise<void> {
  if (!['check', 'test', 'schema'].includes(verb) || rest.length > 0) return failWith(2, [USAGE]);
  if (verb === 'schema') {
    process.stdout.write(`${JSON.stringify(configurationJsonSchema(), null, 2)}\n`);
    return;
  }
  const path = file ?? configurationPath();
  if (path === null) return failWith(2, ['PATCHBAY_CONFIG is missing: the path of the configuration file']);
  const text = readText(path);
  if (text === null) return failWith(2, [`${path} can't be read`]);
  const { faults, notes } = checkText(text, verb === 'test');
  if (faults.length > 0) return failWith(1, faults);
  process.stdout.write(`${[`${path}: nothing is wrong.`, ...notes].join('\n')}\n`);
}

/** A line for each fault, with its place; and what is worth knowing of a file without faults. */
function checkText(text: string, withTests: boolean) {
  const read = readWholeFile(text);
  if (read.kind === 'faults') return { faults: read.faults, notes: [] };
  const { approvalRules } = read.configuration;
  const failed = withTests ? failedTests(approvalRules, read.rules, createClock().now()) : [];
  const byName = groupsNamed(approvalRules).filter((name) => !/^#\d+$/.test(name));
  const notes = [
    countsText(approvalRules.rules.length, approvalRules.tests.length, withTests),
    ...byName.map(
      (name) =>
        `group:${name} is a name: a number, such as group:#12, still holds when the group is renamed.`,
    ),
  ];
  return { faults: failed, notes };
}

function countsText(rules: number, tests: number, haveRun: boolean): string {
  const number = `${tests} ${tests === 1 ? 'test' : 'tests'}`;
  const ran = tests === 0 ? 'no tests' : `${number} ${haveRun ? 'passed' : 'not run'}`;
  return `${rules} ${rules === 1 ? 'rule' : 'rules'}, ${ran}.`;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function failWith(code: 1 | 2, lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = code;
}

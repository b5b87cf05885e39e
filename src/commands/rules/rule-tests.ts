/** Tests of the configuration file: what its rules say of devices that need not exist. Pure. */
import type { ApprovalRules, RuleTest } from '../../config/rules-section.ts';
import { type Instant, instant } from '../../lib/clock.ts';
import { groupId, personId, userGroupId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import { isAmong } from '../../rules/quorum.ts';
import {
  type Judgement,
  judge,
  LOOKING_KINDS,
  RULE_COMMANDS,
  type RuleDevice,
  type RulesInForce,
} from '../../rules/rules.ts';
import { wallClock } from '../../rules/time.ts';
import { groupsNamed } from './compile-rules.ts';

/** What a test does not name is something that no rule names. */
const UNNAMED = '-';

/** A line for each test that fails, with its place in the file. A test without a time is one of `now`. */
export function failedTests(file: ApprovalRules, { setFor }: RulesInForce, now: Instant): readonly string[] {
  const tested = file.tests.map(({ device: { group } }) => group ?? UNNAMED);
  const names = [...groupsNamed(file), ...tested];
  const groups = [...new Set(names)].map((name, at) => ({
    ...{ name, parentId: null },
    id: groupId(Number(/^#(\d+)$/.exec(name)?.[1] ?? 1_000_000 + at)),
  }));
  const rules = setFor(groups);
  return file.tests.flatMap((test) => {
    const found = groups.find(({ name }) => fold(name) === fold(test.device.group ?? UNNAMED));
    const device: RuleDevice = {
      groupId: found?.id ?? null,
      tags: test.device.tags,
      osFamily: test.device.os ?? UNNAMED,
      osName: test.device.os ?? UNNAMED,
      osVersion: null,
    };
    const judged = judge(rules, questionOf(test, now, file.timezone), [[device]]);
    const [expected, actual] = [expectedText(test), judgementText(judged)];
    return expected === actual
      ? []
      : [`${test.place}: the test of ${test.command} expects ${expected}, and the rules say ${actual}`];
  });
}

function questionOf({ command, devices, by, at }: RuleTest, now: Instant, timezone: string) {
  const person = by.find((id) => !id.startsWith('S'));
  const groups = by.filter((id) => id.startsWith('S')).map(userGroupId);
  const [kind] = RULE_COMMANDS[command];
  return {
    kind,
    isFree: LOOKING_KINDS.has(kind),
    size: devices,
    isBy: (people: Parameters<typeof isAmong>[0]) => isAmong(people, { by: personId(person ?? ''), groups }),
    at: at ?? wallClock(instant(now), timezone),
  };
}

function expectedText({ expect }: RuleTest): string {
  return typeof expect === 'string' ? expect : namesText(expect);
}

/** As `expect` says it. */
export function judgementText(judged: Judgement): string {
  switch (judged.kind) {
    case 'refused':
      return 'refuse';
    case 'runs':
      return 'run';
    case 'asks':
      return namesText(judged.demands.flatMap(({ rule }) => rule ?? []));
  }
}

/** Empty: no rule fits, and somebody has to agree as `otherwise` says. */
function namesText(names: readonly string[]): string {
  return `[${names.toSorted().join(', ')}]`;
}

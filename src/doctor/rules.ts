/** Whether the approval rules can be met: groups of the fleet that they name, and people who can agree. */
import { compileRules } from '../commands/rules/compile-rules.ts';
import type { ConfigurationFile } from '../config/configuration-file.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import type { UserGroupId } from '../lib/ids.ts';
import type { Quorum } from '../rules/quorum.ts';
import { slackErrorText } from '../slack/web-api/slack-errors.ts';
import type { SlackWeb } from '../slack/web-api/slack-web.ts';
import { type Finding, failFinding, okFinding, warnFinding } from './finding.ts';

const RULES_CHECK = 'approval rules';

type Rules = Pick<ConfigurationFile, 'approvalRules' | 'roles'>;

/** Empty where the file has no rules. Throws FleetFailure. */
export async function checkRuleGroups(
  configuration: Rules,
  reader: Pick<FleetReader, 'groups'>,
): Promise<readonly Finding[]> {
  const { rules } = configuration.approvalRules;
  if (rules.length === 0) return [];
  const compiled = compileRules(configuration);
  if (compiled.kind === 'faults')
    return compiled.faults.map((fault) => failFinding(RULES_CHECK, fault, 'correct the configuration file'));
  const groups = await collectRows(reader.groups());
  const lost = compiled.inForce
    .setFor(groups)
    .rules.flatMap(({ name, lostGroups }) =>
      lostGroups.map((group) => `rule ${name} names the group ${group}, which the fleet doesn't have`),
    );
  const remedy =
    'until then, each request asks an admin; name the group by number, such as group:#12, which survives a new name';
  return lost.length === 0
    ? [okFinding(RULES_CHECK, `${rules.length} in force`)]
    : lost.map((seen) => warnFinding(RULES_CHECK, seen, remedy));
}

/** Rules that too few people can agree to: nobody decides their own request, so one more than needed is enough for all. */
export async function checkQuorums(
  { approvalRules: { rules, otherwise } }: Pick<Rules, 'approvalRules'>,
  web: Pick<SlackWeb, 'userGroupMembers'>,
): Promise<readonly Finding[]> {
  const named = [
    ...rules.map(({ name, effect }) => ({ name: `rule ${name}`, effect })),
    { name: 'otherwise', effect: { do: 'ask', asking: otherwise } as const },
  ];
  const findings: Finding[] = [];
  for (const { name, effect } of named)
    for (const quorum of effect.do === 'ask' ? effect.asking.quorums : [])
      findings.push(...(await checkQuorum(name, quorum, web)));
  return findings;
}

async function checkQuorum(
  name: string,
  { from, count }: Quorum,
  web: Pick<SlackWeb, 'userGroupMembers'>,
): Promise<readonly Finding[]> {
  if (from === null) return [];
  const people = new Set<string>(from.people);
  for (const group of from.userGroups) {
    const members = await membersOf(group, web);
    if (typeof members === 'string')
      return [warnFinding(RULES_CHECK, `${name}: ${members}`, 'check the id and the scope usergroups:read')];
    for (const member of members) people.add(member);
  }
  const seen = `${name} needs ${count} of ${people.size} people`;
  if (people.size < count)
    return [failFinding(RULES_CHECK, seen, 'nobody could complete it: name more people')];
  return people.size === count
    ? [warnFinding(RULES_CHECK, seen, 'name more people: nobody can approve their own request')]
    : [];
}

async function membersOf(group: UserGroupId, web: Pick<SlackWeb, 'userGroupMembers'>) {
  const members = await web.userGroupMembers(group);
  return members.kind === 'ok' ? members.value : `can't read user group ${group}: ${slackErrorText(members)}`;
}

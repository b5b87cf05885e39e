/** The wording of problems with policies that are run by hand, and with severities. */
import { SEVERITIES } from '../../fleet/model/package-state.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { listMrkdwn, policyNameText, policyTypeText } from '../text/common-text.ts';
import { severityCountsText } from '../text/quantities.ts';
import { MAX_OFFERS } from './offers.ts';
import type { ProblemOf, ProblemTable } from './problem-parts.ts';

type WrongPolicyProblem = ProblemOf<'policy-not-for'>;

export const SOFTWARE_PROBLEMS = {
  'none-missing': ({ deviceName, severities }) => ({
    what:
      severities === undefined
        ? md`${escapeMrkdwn(deviceName)} isn’t missing any of the requested packages.`
        : md`${escapeMrkdwn(deviceName)} isn’t missing any ${oneOfText(severities)} packages.`,
    next: md`Ignored and deferred packages aren’t counted. Scan the device to refresh the list.`,
  }),
  'policy-not-for': (problem, root) => ({
    what: problem.why === 'kind' ? wrongPolicyKind(problem) : policyElsewhere(problem),
    next: alternativesText(problem, root),
  }),
  'policy-without-devices': ({ policy: { id, name } }, root) => ({
    what: md`${policyNameText(id, name)} applies to no devices.`,
    next: md`To see its groups, use ${typedCommand(root, 'policy NAME')}.`,
  }),
  'no-such-severity': ({ deviceName, asked, there }) => ({
    what: md`${escapeMrkdwn(deviceName)} has no missing patches with severity ${oneOfText(asked)}.`,
    next: md`${statedSeverities(there)}Name packages, or leave the severity out to request all missing patches.`,
  }),
} satisfies Partial<ProblemTable>;

/** What the interface runs by hand (§4.3). */
function wrongPolicyKind({ action, policy: { id, name, type } }: WrongPolicyProblem): Mrkdwn {
  const what = md`${policyNameText(id, name)} is ${policyKindText(type)}`;
  return action === 'test'
    ? md`Only Worklets can be tested on a device: ${what}.`
    : md`Only Worklets and required software can be remediated manually: ${what}.`;
}

function policyKindText(type: string | null): Mrkdwn {
  if (type === null) return md`of an unknown type`;
  return type === 'required_software' ? policyTypeText(type) : md`a ${policyTypeText(type)}`;
}

function policyElsewhere({ policy: { id, name }, deviceName }: WrongPolicyProblem): Mrkdwn {
  return md`The management service doesn’t list ${policyNameText(id, name)} among the policies of ${deviceName === undefined ? md`the devices` : escapeMrkdwn(deviceName)}.`;
}

function alternativesText(
  { action, policy, deviceName, others, offers }: WrongPolicyProblem,
  root: string,
): Mrkdwn {
  const verb = action === 'test' ? md`tested` : md`remediated`;
  const on = deviceName === undefined ? md`` : md` on ${escapeMrkdwn(deviceName)}`;
  const some =
    others.length === 0
      ? md`${deviceName === undefined ? md`The devices have` : md`${escapeMrkdwn(deviceName)} has`} no policy that can be ${verb}.`
      : offers === undefined || others.length > MAX_OFFERS
        ? md`Policies that can be ${verb}${on}: ${listMrkdwn(others)}.`
        : md`These policies can be ${verb}${on}.`;
  return policy.type === 'patch'
    ? md`${some}\nTo install missing patches, use ${typedCommand(root, 'patch NAME')}.`
    : md`${some}\nTo see the groups of a policy, use ${typedCommand(root, 'policy NAME')}.`;
}

function oneOfText(severities: readonly string[]): Mrkdwn {
  return joinMrkdwn(
    severities.slice(0, SEVERITIES.length).map((severity) => escapeMrkdwn(severity, DISPLAY_LIMIT.label)),
    ' or ',
  );
}

/** The service may state a severity of some packages, of all or of none. */
function statedSeverities(there: ProblemOf<'no-such-severity'>['there']): Mrkdwn {
  return there.every(({ severity }) => severity === null)
    ? md`The management service gives no severity for these packages.\n`
    : md`Missing: ${severityCountsText(there)}.\n`;
}

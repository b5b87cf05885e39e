/** The wording of problems with policies that are run by hand, and with severities. */
import { SEVERITIES } from '../../fleet/software.ts';
import { joined, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { typed } from '../kit/typed.ts';
import type { SoftwareProblem } from '../models/software-model.ts';
import { severityCounts } from '../severity.ts';
import { listed, policyType, policyWords } from '../words.ts';
import { MOST_OFFERS } from './offers.ts';
import { NOTHING, type Wording } from './wording.ts';

type NotFor = Extract<SoftwareProblem, { kind: 'policy-not-for' }>;

export function softwareProblemWords(problem: SoftwareProblem, root: string): Wording {
  switch (problem.kind) {
    case 'none-missing':
      return {
        what: md`${literal(problem.deviceName)} isn’t missing any of the requested packages.`,
        changed: NOTHING,
        next: md`Ignored and deferred packages aren’t counted. Scan the device to refresh the list.`,
      };
    case 'policy-not-for':
      return {
        what: problem.why === 'kind' ? wrongKind(problem) : elsewhere(problem),
        changed: NOTHING,
        next: wouldDo(problem, root),
      };
    case 'no-such-severity':
      return {
        what: md`${literal(problem.deviceName)} has no missing patches with severity ${oneOf(problem.asked)}.`,
        changed: NOTHING,
        next: md`${stated(problem.there)}Name packages, or leave the severity out to request all missing patches.`,
      };
  }
}

/** What the interface runs by hand (§4.3). */
function wrongKind({ action, policy: { id, name, type } }: NotFor): Mrkdwn {
  const what = md`${policyWords(id, name)} is ${kind(type)}`;
  return action === 'test'
    ? md`Only Worklets can be tested on a device: ${what}.`
    : md`Only Worklets and required software can be remediated manually: ${what}.`;
}

function kind(type: string | null): Mrkdwn {
  if (type === null) return md`of an unknown type`;
  return type === 'required_software' ? policyType(type) : md`a ${policyType(type)}`;
}

function elsewhere({ policy: { id, name }, deviceName }: NotFor): Mrkdwn {
  return md`The management service doesn’t list ${policyWords(id, name)} among the policies of ${literal(deviceName)}.`;
}

function wouldDo({ action, policy, deviceName, others, offers }: NotFor, root: string): Mrkdwn {
  const verb = action === 'test' ? md`tested` : md`remediated`;
  const some =
    others.length === 0
      ? md`${literal(deviceName)} has no policy that can be ${verb}.`
      : offers === undefined || others.length > MOST_OFFERS
        ? md`Policies that can be ${verb} on ${literal(deviceName)}: ${listed(others)}.`
        : md`These policies can be ${verb} on ${literal(deviceName)}.`;
  return policy.type === 'patch'
    ? md`${some}\nTo install missing patches, use ${typed(root, 'patch NAME')}.`
    : md`${some}\nTo see the groups of a policy, use ${typed(root, 'policy NAME')}.`;
}

function oneOf(severities: readonly string[]): Mrkdwn {
  return joined(
    severities.slice(0, SEVERITIES.length).map((severity) => literal(severity, SHOWN.label)),
    ' or ',
  );
}

/** The service may state a severity of some packages, of all or of none. */
function stated(there: Extract<SoftwareProblem, { kind: 'no-such-severity' }>['there']): Mrkdwn {
  return there.every(({ severity }) => severity === null)
    ? md`The management service gives no severity for these packages.\n`
    : md`Missing: ${severityCounts(there)}.\n`;
}

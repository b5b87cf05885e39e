/** What a device shows of a command, in words. */
import type { EffectEvidence, Evidence } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, type Mrkdwn, md } from '../../kit/escape.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import {
  exitCodeText,
  namesText,
  policyStatusPhrase,
  policySubject,
  policyText,
  quotation,
} from './words.ts';

/** One sentence, or two. */
export function effectText(evidence: EffectEvidence): Mrkdwn {
  switch (evidence.kind) {
    case 'refreshed':
      return md`The device’s data was refreshed ${relativeDate(evidence.at)}.`;
    case 'not-refreshed':
      return evidence.last === null
        ? md`Its last refresh is still unknown.`
        : md`Its last refresh is still ${relativeDate(evidence.last)}.`;
    case 'restarted':
      return md`The device went offline ${relativeDate(evidence.left)} and is back online.${flagText(evidence)}`;
    case 'uptime-dropped':
      return md`The device’s uptime dropped.${flagText(evidence)}`;
    case 'not-back':
      return md`It went offline ${relativeDate(evidence.left)} and isn’t back online yet.`;
    case 'not-restarted':
      return evidence.uptimeDropped
        ? md`No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.`
        : md`No disconnect and reconnect seen, and its uptime did not drop.`;
    case 'installed':
      return installedText(evidence.packages);
    case 'reported-installed':
      return md`The management service reported ${namesText(evidence.packages)} as installed.`;
    case 'install-failed':
      return installFailedText(evidence);
    case 'not-installed':
      return md`Not installed yet: ${namesText(evidence.packages)}.${namelessText(evidence.nameless)}`;
    case 'packages-unread':
      return md`The device’s packages have not been read yet.`;
    case 'policy-tested':
      return md`The test of ${policyText(evidence.policy)} ended ${exitCodeText(evidence.exitCode)}.`;
    case 'policy-result': {
      const policy = policyText(evidence.policy);
      return md`The management service updated the result of ${policy} ${relativeDate(evidence.at)}: the device ${policyStatusPhrase(evidence.status)}.`;
    }
    case 'no-policy-result':
      return md`No result of ${policyText(evidence.policy)} yet.`;
    case 'policy-ran':
      return md`${policySubject(evidence.policy)} ran ${exitCodeText(evidence.exitCode)}.`;
    case 'policy-failed':
      // A script may print secrets and names of people, so what it printed is in no evidence.
      return md`${policySubject(evidence.policy)} ran ${exitCodeText(evidence.exitCode)}. Its output is in the management service’s console.`;
    case 'policy-met':
      return md`The device is now up to date with ${policyText(evidence.policy)}.`;
    case 'policy-unproven': {
      const ran =
        evidence.run === null
          ? md``
          : md` The management service reported a run ${exitCodeText(evidence.run.exitCode)}.`;
      return md`No proof yet that ${policyText(evidence.policy)} was remediated.${ran}`;
    }
  }
}

function flagText({ flagCleared }: { readonly flagCleared: boolean }): Mrkdwn {
  return flagCleared ? md` A reboot is no longer required.` : md``;
}

function installedText(packages: readonly string[]): Mrkdwn {
  const [only, ...others] = packages;
  if (only === undefined)
    return md`No patches were missing before the command, so there was nothing to install.`;
  return others.length === 0
    ? md`${namesText(packages)} is installed.`
    : md`${others.length === 1 ? md`Both` : md`All ${packages.length}`} packages are installed.`;
}

function installFailedText({
  packages,
  words,
  installed,
  total,
}: Extract<Evidence, { kind: 'install-failed' }>): Mrkdwn {
  // In the order of the card's own list of packages.
  const names = namesText(packages.toSorted());
  const isAll = total > 1 && installed === 0 && packages.length === total;
  const which = isAll ? md`${total === 2 ? md`both` : md`all ${total}`} packages (${names})` : names;
  const rest = total > 1 && !isAll ? md` ${installed} of ${total} packages are installed.` : md``;
  return md`The management service reported that ${which} failed to install${quotation(words)}.${rest}`;
}

/** It may be the failure of another package. */
function namelessText(nameless: { readonly words: string | null } | null): Mrkdwn {
  if (nameless === null) return md``;
  const words = nameless.words === null ? md`` : md` (“${escapeMrkdwn(nameless.words, 300)}”)`;
  return md` The management service reported a failed patch without its name${words}.`;
}

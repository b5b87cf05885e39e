/** What a device shows of a command, and the sentence that a person reads. */
import { AT, DRAWN, type EvidenceRow, policy } from './rows.ts';

export const EFFECT_SENTENCES: readonly EvidenceRow[] = [
  [{ kind: 'refreshed', at: AT }, `The device’s data was refreshed ${DRAWN}.`],
  [{ kind: 'not-refreshed', last: AT }, `Its last refresh is still ${DRAWN}.`],
  [{ kind: 'not-refreshed', last: null }, 'Its last refresh is still unknown.'],
  [
    { kind: 'restarted', left: AT, flagCleared: true },
    `The device went offline ${DRAWN} and is back online. A reboot is no longer required.`,
  ],
  [{ kind: 'uptime-dropped', flagCleared: false }, 'The device’s uptime dropped.'],
  [{ kind: 'not-back', left: AT }, `It went offline ${DRAWN} and isn’t back online yet.`],
  [
    { kind: 'not-restarted', uptimeDropped: true },
    'No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.',
  ],
  [
    { kind: 'not-restarted', uptimeDropped: false },
    'No disconnect and reconnect seen, and its uptime did not drop.',
  ],
  [{ kind: 'installed', packages: ['curl'] }, 'curl is installed.'],
  [{ kind: 'installed', packages: ['curl', 'openssl'] }, 'Both packages are installed.'],
  [
    { kind: 'installed', packages: [] },
    'No patches were missing before the command, so there was nothing to install.',
  ],
  [
    { kind: 'reported-installed', packages: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    'The management service reported a, b, c, d, e and 2 more as installed.',
  ],
  [
    { kind: 'install-failed', packages: ['openssl'], words: 'disk full', installed: 1, total: 2 },
    'The management service reported that openssl failed to install: “disk full”. 1 of 2 packages are installed.',
  ],
  [
    { kind: 'install-failed', packages: ['curl', 'openssl'], words: 'disk full', installed: 0, total: 2 },
    'The management service reported that both packages (curl and openssl) failed to install: “disk full”.',
  ],
  [
    { kind: 'install-failed', packages: ['openssl'], words: null, installed: 0, total: 1 },
    'The management service reported that openssl failed to install.',
  ],
  [{ kind: 'not-installed', packages: ['openssl'], nameless: null }, 'Not installed yet: openssl.'],
  [
    { kind: 'not-installed', packages: ['openssl'], nameless: { words: 'disk full' } },
    'Not installed yet: openssl. The management service reported a failed patch without its name (“disk full”).',
  ],
  [{ kind: 'packages-unread' }, 'The device’s packages have not been read yet.'],
  [
    { kind: 'policy-tested', policy, exitCode: 2 },
    'The test of Harden SSH (policy 12) ended with exit code 2.',
  ],
  [
    { kind: 'policy-tested', policy: { ...policy, name: null }, exitCode: null },
    'The test of policy 12 ended without an exit code.',
  ],
  [
    { kind: 'policy-result', policy, at: AT, status: 0 },
    `The management service updated the result of Harden SSH (policy 12) ${DRAWN}: the device needs remediation.`,
  ],
  [
    { kind: 'policy-result', policy, at: AT, status: 9 },
    `The management service updated the result of Harden SSH (policy 12) ${DRAWN}: the device has status 9.`,
  ],
  [{ kind: 'no-policy-result', policy }, 'No result of Harden SSH (policy 12) yet.'],
  [{ kind: 'policy-ran', policy, exitCode: 0 }, 'Harden SSH (policy 12) ran with exit code 0.'],
  [{ kind: 'policy-ran', policy: { ...policy, name: null }, exitCode: 0 }, 'Policy 12 ran with exit code 0.'],
  [
    { kind: 'policy-failed', policy, exitCode: 1 },
    'Harden SSH (policy 12) ran with exit code 1. Its output is in the management service’s console.',
  ],
  [{ kind: 'policy-met', policy }, 'The device is now up to date with Harden SSH (policy 12).'],
  [
    { kind: 'policy-unproven', policy, run: null },
    'No proof yet that Harden SSH (policy 12) was remediated.',
  ],
  [
    { kind: 'policy-unproven', policy, run: { exitCode: null } },
    'No proof yet that Harden SSH (policy 12) was remediated. The management service reported a run without an exit code.',
  ],
];

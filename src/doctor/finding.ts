import type { SlackError } from '../slack/web-api/slack-errors.ts';

/** The result of one check, worded by the check and printed by `doctor.ts`. */
export type Finding = {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly name: string;
  readonly seen: string;
  /** What to do about it; null where nothing has to be done. */
  readonly remedy: string | null;
};

export const okFinding = (name: string, seen: string): Finding => ({
  status: 'ok',
  name,
  seen,
  remedy: null,
});
export const warnFinding = findingWithRemedy('warn');
export const failFinding = findingWithRemedy('fail');

function findingWithRemedy(status: Finding['status']) {
  return (name: string, seen: string, remedy: string): Finding => ({ status, name, seen, remedy });
}

/** A check that depends on a failed one is skipped, so that each failure counts once. */
export const skipFinding = (name: string, needed: string): Finding => ({
  status: 'skip',
  name,
  seen: `the check "${needed}" failed`,
  remedy: null,
});

export function hasFailed(findings: readonly Finding[], check: string): boolean {
  return findings.some(({ name, status }) => name === check && status === 'fail');
}

export function findingText({ status, name, seen, remedy }: Finding): string {
  const line = `${status.padEnd(4)}  ${name}: ${seen}`;
  return remedy === null ? line : `${line}\n      → ${remedy}`;
}

/** What to do about a failed call to Slack. `whenRefused` applies only if Slack itself refused it. */
export function slackRemedy(fault: SlackError, whenRefused: string): string {
  switch (fault.kind) {
    case 'refused':
      return whenRefused;
    case 'throttled':
      return 'Slack is rate limiting; wait a minute and try again';
    case 'unsent':
    case 'uncertain':
      return 'check SLACK_API_URL and the network to it (firewall, proxy, DNS)';
  }
}

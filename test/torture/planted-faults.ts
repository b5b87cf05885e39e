/** One-line faults of the product, each of which the torture has to find. */

export type PlantedFault = {
  /** What breaks. */
  readonly name: string;
  readonly file: string;
  /** Must match exactly once. */
  readonly search: string;
  readonly replace: string;
  /** The opening theme that is played first, where another would take longer. */
  readonly first?: string;
  /** Processes of the bot, on PostgreSQL; absent: one, on SQLite. */
  readonly replicas?: number;
};

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'decision: people approve their own requests',
    file: 'src/requests/decide/state-machine.ts',
    search: "      if (isOwn) return { kind: 'own-request' };\n",
    replace: '',
    first: 'wrongDecisions',
  },
  {
    name: 'decision: an edit of tags needs no approval',
    file: 'src/requests/decide/rules.ts',
    search: "return editedFields(action).some((field) => field !== 'customName');",
    replace: 'return false;',
    first: 'lostEdits',
  },
  {
    name: 'removal: a removed device needs no approval',
    file: 'src/rules/rules.ts',
    search: "new Set(['scan', 'policy-test'])",
    replace: "new Set(['scan', 'policy-test', 'device-remove'])",
    first: 'lostEdits',
  },
  {
    name: 'edit: a change whose answer was lost counts as never sent',
    file: 'src/fleet/http/call-outcome.ts',
    search: '    sent: attempt.sent,\n',
    replace: '    sent: false,\n',
    first: 'lostEdits',
  },
  {
    name: 'claim: allowed while the rollout is held',
    file: 'src/requests/settle-request.ts',
    search: 'if (rollout.hold !== null || hasExpired(rollout, now)) return false;',
    replace: 'if (hasExpired(rollout, now)) return false;',
    first: 'refusedRollout',
  },
  {
    name: 'claim: of what another process took over',
    file: 'src/requests/run/send-check.ts',
    search: '      const ours = await store.targets.stillClaimed(claims);\n',
    replace: '      const ours = claims;\n',
    first: 'takenOver',
    replicas: 2,
  },
  {
    name: 'claim: sent however long ago it was approved',
    file: 'src/requests/run/send-check.ts',
    search: 'return ageOf(since, now) < maxAgeMs ? null :',
    replace: 'return since > 0 ? null :',
    first: 'absence',
  },
  {
    name: 'brake: never at a number of devices',
    file: 'src/rollout/progress.ts',
    search: 'return bad >= brake.devices;',
    replace: 'return false;',
    first: 'refusedRollout',
  },
  {
    name: 'pause: claims do not read it',
    file: 'src/requests/run/ledger.ts',
    search: 'const pause = await tables.pause.lockAndRead(since);',
    replace: 'const pause = null;',
    first: 'stoppedRollout',
  },
  {
    name: 'seal: what changed is sent all the same',
    file: 'src/requests/run/recheck.ts',
    search: 'const drift = driftOf(action, sealed, read.facts, isRollout)',
    replace: 'const drift = []',
    first: 'changedBetween',
  },
  {
    name: 'outbox: a post is repeated without a look',
    file: 'src/slack/cards/next-card-step.ts',
    search: "return open.length === 0 ? { kind: 'post' } : { kind: 'look', posts: open };",
    replace: "return { kind: 'post' };",
    first: 'lyingAnswers',
  },
  {
    name: 'outbox: what Slack answers is always believed',
    file: 'src/slack/web-api/slack-errors.ts',
    search: '  return OWN_FAILURE_PATTERN.test(code)\n',
    replace: '  return false\n',
    first: 'lyingAnswers',
  },
  {
    name: 'outbox: an edit that another process overwrote is not repeated',
    file: 'src/slack/cards/next-card-step.ts',
    search: "  if (card.shownRevision < card.wantedRevision) return { kind: 'edit', settled };\n",
    replace:
      "  if (card.shownRevision < card.wantedRevision && settled.length === 0) return { kind: 'done' };\n",
    first: 'pressedRollout',
  },
  {
    name: 'poller: the oldest new event is dropped',
    file: 'src/watch/poll.ts',
    search: '  for (let from = 0; from < fresh.length; from += EVENTS_PER_TRANSACTION) {\n',
    replace: '  for (let from = 1; from < fresh.length; from += EVENTS_PER_TRANSACTION) {\n',
    first: 'failingRollout',
  },
  {
    name: 'poller: what a short list leaves out is forgotten',
    file: 'src/watch/poll.ts',
    search: '  const next = { ...cursor, ...unread };',
    replace: '  const next = { ...unread, ...cursor };',
    first: 'lyingLists',
  },
  {
    name: 'alert: a card that others joined is not drawn again',
    file: 'src/alerts/draw-cards.ts',
    search: '  await cards.enqueue({ key, channel, fallbackPerson: null, dueAt }, { keepsEarlier: true });\n',
    replace:
      '  if (before === undefined) await cards.enqueue({ key, channel, fallbackPerson: null, dueAt }, { keepsEarlier: true });\n',
    first: 'lyingLists',
  },
  {
    name: 'alert: the installation of any package proves a fix',
    file: 'src/alerts/life/place.ts',
    search: '  const proof = endings.get(member.id);\n',
    replace: '  const proof = endings.get(member.id) ?? [...endings.values()][0];\n',
    first: 'failingRollout',
  },
  {
    name: 'rule: one person counts twice',
    file: 'src/rules/quorum.ts',
    search: '    if (holder !== undefined && !fill(holder, seats, tried)) continue;\n',
    replace: '',
    first: 'quorumRules',
  },
  {
    name: 'rule: what runs without anybody is not counted',
    file: 'src/store/tables/requests.ts',
    search: `const named = ran.where('rules', 'not like', '%"runs":[]%');`,
    replace: `const named = ran.where('rules', 'like', '');`,
    first: 'hourlyRules',
  },
  {
    name: 'rule: what refuses by now is sent',
    file: 'src/requests/run/recheck.ts',
    search: "      return judgement.rules.map(({ name }) => ({ ...about, rule: name, does: 'refuses' }));",
    replace: '      return [];',
    first: 'frozenRules',
  },
  {
    name: 'rule: a group that is gone asks for nobody',
    file: 'src/rules/rules.ts',
    search:
      "  const lost = held.filter(({ rule }) => rule.lostGroups.length > 0 && rule.effect.do !== 'run');",
    replace: '  const lost = held.filter(() => false);',
    first: 'lostGroupRules',
  },
  {
    name: 'reload: a changed file approves what enough people agreed to',
    file: 'src/requests/decide/request-service.ts',
    search: "await applyOrThrow(id, { kind: 'ask-anew', seal, asked });",
    replace: `{
          await applyOrThrow(id, { kind: 'ask-anew', seal, asked });
          const by = rules.approvals[0]?.by;
          if (by !== undefined) await applyOrThrow(id, { kind: 'approve', by, role: 'admin', seal, groups: [], asked });
        }`,
    first: 'reloadedRules',
  },
  {
    name: 'reload: a changed file is read and not taken',
    file: 'src/configuration-in-force.ts',
    search: '    current = read;\n',
    replace: '',
    first: 'frozenRules',
  },
];

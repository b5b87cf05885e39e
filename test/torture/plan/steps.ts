/** The steps that most themes consist of, in few words. */
import type { ScheduledAction, ScheduleStep, ScheduleUser } from '../schedule.ts';

export const at = (ms: number, deed: ScheduledAction): ScheduleStep => ({ at: ms, deed });
/** As soon as so many of these requests were sent. */
export const seen = (ms: number, what: string, count: number, deed: ScheduledAction): ScheduleStep => ({
  at: ms,
  when: { seen: what, count },
  deed,
});
/** As soon as a request that needs an approval was posted. */
export const posted = (ms: number, deed: ScheduledAction): ScheduleStep =>
  seen(ms, 'POST /api/chat.postMessage approval:', 1, deed);
export const clock = (advance: string): ScheduledAction => ({ do: 'clock', advance });
export const type = (text: string, user: ScheduleUser = 'operator'): ScheduledAction => ({
  ...{ do: 'type', user, channel: 'ops', text },
});
export type Users = readonly [ScheduleUser, ...ScheduleUser[]];
export const press = (users: Users, action: string, pick = 0.99, about = ''): ScheduledAction => ({
  ...{ do: 'press', users: [...users], channel: 'approvals', action, pick, about },
});
/** An approval of that request, whatever others were posted meanwhile. */
export const approve = (about: string): ScheduledAction => press(['approver'], 'approve', undefined, about);
export const later = (steps: readonly ScheduleStep[], ms: number): readonly ScheduleStep[] =>
  steps.map((step) => ({ ...step, at: step.at + ms }));

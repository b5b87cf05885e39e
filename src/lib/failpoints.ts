/**
 * Named points in the code that acts and notifies, each right after the commit or the POST it names. Only the kill
 * tests listen: they end the process there and check that nothing is lost or duplicated.
 */
export type FailpointName =
  | 'request.recorded'
  | 'request.decided'
  | 'target.claimed'
  | 'target.sent'
  | 'target.recorded'
  | 'target.verified'
  | 'wave.rechecked'
  | 'wave.ended'
  | 'rollout.braked'
  | 'inbox.recorded'
  | 'poll.fetched'
  | 'poll.committed'
  | 'card.attempted'
  | 'card.posted';

export type OnFailpoint = (name: FailpointName) => void | Promise<void>;

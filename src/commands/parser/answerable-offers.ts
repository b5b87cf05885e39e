/** Keeps only suggestions that would be answered; typos in their values are corrected as well. */
import { FleetFailure } from '../../fleet/fleet.ts';
import type { Problem } from '../../views/model.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { ReadPorts, Registry } from '../core/command.ts';

/**
 * The problem with only such offers. Unknown names in their lines are replaced with close matches. Reads names of the
 * fleet, so it is only for people who may read it. If the names cannot be read, all offers stay.
 */
export async function withAnswerableOffers(
  problem: Problem,
  registry: Pick<Registry, 'find'>,
  ports: ReadPorts,
): Promise<Problem> {
  if (problem.kind !== 'usage' && problem.kind !== 'unknown-command') return problem;
  const { offers = [], ...bare } = problem;
  const answering = await Promise.all(offers.map((offer) => answerableOffer(offer, registry, ports)));
  const answerable = answering.flat();
  return answerable.length === 0 ? bare : { ...bare, offers: answerable };
}

async function answerableOffer(
  offer: Offer,
  { find }: Pick<Registry, 'find'>,
  ports: ReadPorts,
): Promise<readonly Offer[]> {
  const command = offer.kind === 'line' && offer.does === 'run' ? find(offer.choice.command) : null;
  if (command?.kind !== 'read' || command.findUnknownName === undefined) return [offer];
  try {
    const slip = await command.findUnknownName(offer.choice.input, ports);
    if (slip === null) return [offer];
    return 'offers' in slip ? (slip.offers ?? []) : [];
  } catch (error) {
    if (error instanceof FleetFailure) return [offer];
    throw error;
  }
}

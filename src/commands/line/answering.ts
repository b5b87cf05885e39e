/** Of the lines that may have been meant, those that would be answered: a slip in a value is put right as well. */
import { FleetFailure } from '../../fleet/fleet.ts';
import type { Problem } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import type { ReadPorts } from '../command.ts';
import type { Registry } from '../registry.ts';

/**
 * The problem with only such offers; what its lines name that is not there is put right where something is near. Reads
 * names of the fleet, so it is for those alone who may look. Where these cannot be read all offers stay.
 */
export async function withAnsweringOffers(
  problem: Problem,
  registry: Pick<Registry, 'find'>,
  ports: ReadPorts,
): Promise<Problem> {
  if (problem.kind !== 'usage' && problem.kind !== 'unknown-command') return problem;
  const { offers = [], ...bare } = problem;
  const answering = await Promise.all(offers.map((offer) => answeringIn(offer, registry, ports)));
  const kept = answering.flat();
  return kept.length === 0 ? bare : { ...bare, offers: kept };
}

async function answeringIn(
  offer: Offer,
  { find }: Pick<Registry, 'find'>,
  ports: ReadPorts,
): Promise<readonly Offer[]> {
  const command = offer.kind === 'line' && offer.does === 'run' ? find(offer.choice.command) : null;
  if (command?.kind !== 'read' || command.slip === undefined) return [offer];
  try {
    const slip = await command.slip(offer.choice.input, ports);
    if (slip === null) return [offer];
    return 'offers' in slip ? (slip.offers ?? []) : [];
  } catch (error) {
    if (error instanceof FleetFailure) return [offer];
    throw error;
  }
}

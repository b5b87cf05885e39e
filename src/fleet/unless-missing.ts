/** A thing that is not there any more as null, where that is an answer and not a failure. */
import { FleetFailure } from './fleet.ts';

/** The result of `read`, or null where the service does not know the thing; every other FleetFailure goes on. */
export async function unlessMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'missing') return null;
    throw error;
  }
}

/** How much an approver has to do to approve many devices. */

/** From so many devices on, the number is typed; our own figure. */
export const TYPED_COUNT_FROM = 25;

/** Whether *Approve* asks for the number of devices before it decides. */
export function needsTypedCount(devices: number): boolean {
  return devices >= TYPED_COUNT_FROM;
}

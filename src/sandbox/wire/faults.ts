/** Active faults, and which one applies to a request: the first that matches, in the order in which they were added. */
import type { ActiveFault, Fault, ServiceName } from '../contracts/services.ts';

export type FaultList = {
  readonly add: (fault: Fault) => void;
  /** The fault for this request, counted down; undefined when there is none. */
  readonly takeFor: (service: ServiceName, request: string) => Fault | undefined;
  /** Active faults, with the number of further requests for each. */
  readonly active: () => readonly ActiveFault[];
  readonly clear: () => void;
};

type PendingFault = { readonly fault: Fault; left: number };

export function createFaultList(): FaultList {
  let waiting: PendingFault[] = [];
  return {
    add(fault) {
      const left = fault.times ?? Number.POSITIVE_INFINITY;
      if (left > 0) waiting.push({ fault, left });
    },
    takeFor(service, request) {
      const met = waiting.find(({ fault }) => fault.service === service && matches(request, fault.match));
      if (!met) return undefined;
      met.left -= 1;
      if (met.left <= 0) waiting = waiting.filter((other) => other !== met);
      return met.fault;
    },
    active: () =>
      waiting.map(({ fault: { times, ...fault }, left }) => ({
        ...fault,
        left: times === undefined ? null : left,
      })),
    clear() {
      waiting = [];
    },
  };
}

/** `{id}` and the like match one part of a path, as in the interface's document. */
function matches(request: string, match: string): boolean {
  if (!match.includes('{')) return request.includes(match);
  const parts = match.split(/\{[^{}/]*\}/).map((part) => RegExp.escape(part));
  return new RegExp(parts.join('[^/]+')).test(request);
}

import { IDLE_BOT, type ProductRuns, runProducts } from '../../harness/run-product.ts';
import { type SandboxPeople, startSandboxPeople } from './sandbox-people.ts';

export type PeopleAndProducts = {
  readonly people: SandboxPeople;
  readonly products: ProductRuns;
  /** Ends the products and the sandbox. */
  readonly stop: () => Promise<void>;
};

/** A sandbox whose own bot does nothing, for products that are started beside it. */
export async function startWithProducts(): Promise<PeopleAndProducts> {
  const people = await startSandboxPeople({ entry: IDLE_BOT });
  const products = await runProducts(people);
  return {
    people,
    products,
    async stop() {
      await products.stop();
      await people.stop();
    },
  };
}

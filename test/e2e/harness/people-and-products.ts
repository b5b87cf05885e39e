import { IDLE_BOT, runProducts } from '../../harness/run-product.ts';
import { startSandboxPeople } from './sandbox-people.ts';

/** A sandbox whose own bot does nothing, for products that are started beside it. */
export async function startWithProducts() {
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

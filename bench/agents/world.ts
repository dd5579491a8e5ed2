import { readFileSync } from 'node:fs';
import type { Client } from '@executor/client';
import { ensureDocuments, githubDocumentPath } from '../../scripts/setup-documents.ts';
import type { World } from './judge.ts';
import { copper } from './services/copper.ts';
import { documentOf, type RunningService, startService } from './services/fake-service.ts';
import { github } from './services/github.ts';
import { harbor } from './services/harbor.ts';
import { lumen } from './services/lumen.ts';
import { nimbus } from './services/nimbus.ts';
import { quill } from './services/quill.ts';
import { tessera } from './services/tessera.ts';

/** The services that exist only here. GitHub is beside them, with its own document. */
const invented = [copper, harbor, lumen, nimbus, quill, tessera];

/** All services of the benchmark, running on loopback. */
export class Services {
  readonly running: RunningService[];

  private constructor(running: RunningService[]) {
    this.running = running;
  }

  static async start({ withGithub }: { withGithub: boolean }): Promise<Services> {
    const running = await Promise.all(invented.map((service) => startService(service, documentOf(service))));
    if (withGithub) {
      await ensureDocuments();
      running.push(await startService(github, readFileSync(githubDocumentPath, 'utf8')));
    }
    return new Services(running);
  }

  /** Adds each service as a source. */
  async connect(client: Client): Promise<void> {
    for (const { name, document, url } of this.running)
      await client.sources.create({ document, namespace: name, baseUrl: url });
  }

  reset(): void {
    for (const service of this.running) service.reset();
  }

  /** A copy of all data. */
  snapshot(): World {
    const collections = this.running.flatMap(({ name, state }) =>
      Object.entries(state).map(([collection, items]) => [`${name}.${collection}`, items]),
    );
    return structuredClone(Object.fromEntries(collections));
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((service) => service.close()));
  }
}

import type { Meter } from '../../ports/meter.ts';
import type { PrintedTool, PrintRequest, PrintThread } from '../../ports/print-thread.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';
import { ChunkCache } from '../chunk-cache.ts';
import { PackContents } from '../pack-contents.ts';
import { ToolPack } from '../tool-pack.ts';
import { type PrintableTool, printBriefly, printGeneral, printPacked, printTool } from './print-tool.ts';
import { SignatureCache } from './signature-cache.ts';

/** The texts that were asked for. */
type PrintedAs<Request extends PrintRequest> = Required<Pick<PrintedTool, keyof Request & keyof PrintedTool>>;

/**
 * Prints tools without blocking the server: a text that takes longer than about a millisecond is printed on another thread. Where a text is
 * printed does not change it.
 */
export class ToolPrinter {
  readonly #thread: PrintThread;
  readonly #cache = new SignatureCache();

  constructor(thread: PrintThread) {
    this.#thread = thread;
  }

  /** `meter` counts the time that printing takes. */
  async print<Request extends PrintRequest>(
    tool: PrintableTool,
    request: Request,
    meter: Meter = new CpuMeter(),
  ): Promise<PrintedAs<Request>> {
    const { signature, ...others } = request;
    const kept = signature && this.#cache.get(tool, signature);
    const missing = kept === undefined ? request : others;
    const printed = await this.#print(tool, missing, meter);
    if (signature && printed.signature !== undefined) this.#cache.keep(tool, signature, printed.signature);
    return { ...(kept !== undefined && { signature: kept }), ...printed } as PrintedAs<Request>;
  }

  async #print(tool: PrintableTool, request: PrintRequest, meter: Meter): Promise<PrintedTool> {
    const brief = meter.measure(() => printBriefly(tool, request));
    if (brief) return brief;
    const { path, definitions: pack } = tool;
    const at = pack instanceof ToolPack ? pack.addressOf(path) : undefined;
    // Only tests have tools that are not in a pack.
    if (!(pack instanceof ToolPack) || at === undefined) return meter.measure(() => printTool(tool, request));
    const { printed, ms } = await this.#thread.print({ tools: pack.packed, path, at, request });
    meter.add(ms);
    return printed ?? printGeneral(tool, request);
  }
}

/** Prints on this thread, for a process without another one. */
export const samePrintThread: PrintThread = {
  async print({ tools, ...job }) {
    const meter = new CpuMeter();
    const contents = new PackContents(tools, new ChunkCache());
    return { printed: meter.measure(() => printPacked(contents, { tools, ...job })), ms: meter.ms };
  },
};

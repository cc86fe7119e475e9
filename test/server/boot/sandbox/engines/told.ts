/** An engine that answers the bounds it is told. */

import type { Engine, EngineBounds } from "cairn-memory";

const engine: Engine<null, EngineBounds> = async (_input, _report, bounds) => bounds;

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default engine;

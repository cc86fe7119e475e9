/** What the extractors that ship declare of their files. */

import type { Plugin } from "cairn-memory";
import { builtinPlugins } from "../../server/boot/builtin-plugins.ts";
import { type FileSignatures, fileSignatures } from "../../server/boot/formats/file-signatures.ts";
import { startExtractors } from "./extractor-host.ts";

const plugins = (builtinPlugins as readonly (() => Plugin)[]).map((factory) => factory()).filter(({ name }) => name.startsWith("extractor-"));

export const builtinSignatures: FileSignatures = fileSignatures((await Promise.all(plugins.map((plugin) => startExtractors(plugin)))).flat());

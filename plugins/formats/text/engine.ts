/** Reads text files of any encoding. Runs in the sandbox. */

import type { Engine } from "cairn-memory";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { extractParagraphs } from "./plain-text.ts";
import { readText } from "./read-text.ts";

const engine: Engine<Content, SandboxResult> = async (content) => ({ extraction: extractParagraphs(readText(content)), warnings: [] });
export default engine;

/** Reads MSG files of Outlook. Runs in the sandbox. */

import type { Engine } from "cairn-memory";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { extractMail } from "./add-mail.ts";
import { readMsg } from "./read-msg.ts";

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }) => await extractMail(readMsg(bytes));
export default engine;

/** Calendars (ICS, VCS): events, tasks and journals. */

import { calendarSignatures } from "../../formats/calendar/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-calendar", {
	name: "calendar",
	signatures: calendarSignatures,
	engine: new URL("../../formats/calendar/engine.ts", import.meta.url),
	input: contentOf,
});

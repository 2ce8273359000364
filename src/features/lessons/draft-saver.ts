import type { ApiFailure, ApiResult } from '#client/call-api.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import type { SavedDraft } from './schema.ts';

/** What is being written. */
export type Content = { title: string; document: LessonDocument };

/** What another tab or device has saved in the meantime. */
export type OtherDraft = Content & { draft_version: number; saved_at: string };

/**
 * What the line above the text says. `refused`: saving again is only of use after a change;
 * `failed`: it is tried again by itself.
 */
export type SaveState =
  | { kind: 'saved'; at: string }
  | { kind: 'saving' }
  | { kind: 'offline'; isKept: boolean }
  | { kind: 'signed-out'; isKept: boolean }
  | { kind: 'conflict'; theirs: OtherDraft }
  | { kind: 'refused'; message: string; isKept: boolean }
  | { kind: 'failed'; message: string };

/** What the saver needs of its page. */
type Ports = {
  /** Null while the editor has not loaded: what it will hold is not known, so nothing is saved. */
  read: () => Content | null;
  send: (content: Content, basedOn: number) => Promise<ApiResult<SavedDraft>>;
  /** Keeps the text in this browser; returns whether that worked. */
  keep: (content: Content, basedOn: number) => boolean;
  forget: () => void;
  show: (state: SaveState) => void;
  messageOf: (failure: ApiFailure) => string;
  /** What it says instead of sending a lesson without a title. */
  untitled: string;
};

/** After this much rest a text is saved, and at the latest this long after its first change. */
const restMs = 2_000;
const mostMs = 10_000;
/** How soon it is kept in this browser. */
const keepMs = 400;
/** The first pause before another try, and the longest. */
const firstPauseMs = 4_000;
const longestPauseMs = 60_000;

/**
 * Saves a lesson while it is written: one request at a time, each based on the version that the
 * last one has made. An answer never touches the text.
 */
export class DraftSaver {
  readonly #ports: Ports;
  #version: number;
  #state: SaveState;
  /** How many changes there were, and how many of them the server has. */
  #changes = 0;
  #savedChanges = 0;
  /** When the first change was made that the server doesn't have. */
  #since: number | null = null;
  #sending: Promise<boolean> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  #isKept = true;
  /** Before which no further try is made, and how long the pause was. */
  #retryAt = 0;
  #pauseMs = firstPauseMs;
  #isShown = true;
  /** Nothing is sent by itself until a person has decided. */
  #isHalted = false;
  /** How many changes the server has seen when it refused them because of another tab. */
  #changesInConflict = 0;

  constructor(version: number, savedAt: string, ports: Ports) {
    this.#version = version;
    this.#state = { kind: 'saved', at: savedAt };
    this.#ports = ports;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** The version of the server that has been seen here. */
  get version(): number {
    return this.#version;
  }

  /** Whether there is anything that the server doesn't have. */
  get isBehind(): boolean {
    return this.#changes !== this.#savedChanges;
  }

  /** Whether leaving the page could lose something. Who has to log in again leaves for that. */
  get isAtRisk(): boolean {
    return this.isBehind && !(this.#state.kind === 'signed-out' && this.#state.isKept);
  }

  /** To be called after each change of the title or the text. */
  changed(): void {
    this.#changes += 1;
    this.#since ??= Date.now();
    this.#keepTimer ??= setTimeout(() => this.keep(), keepMs);
    if (this.#state.kind === 'saved') {
      this.#show({ kind: 'saving' });
    }
    this.#schedule();
  }

  /** Keeps what the server doesn't have in this browser, now. */
  keep(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    const content = this.isBehind ? this.#ports.read() : null;
    if (content !== null) {
      this.#isKept = this.#ports.keep(content, this.#version);
    }
  }

  /**
   * Saves now what is not saved. Without a connection, or while a question is open, it says so.
   *
   * @returns whether the server has everything
   */
  async flush(): Promise<boolean> {
    if (this.#state.kind === 'conflict') {
      // Shows the question again.
      this.#show({ ...this.#state });
      return false;
    }
    this.#isHalted = false;
    while (this.isBehind) {
      if (!(await this.#save())) {
        return false;
      }
    }
    return true;
  }

  /** Sends the text although it is unchanged: the server has another one, and then says which. */
  askServer(): void {
    this.#changes += 1;
    void this.flush();
  }

  /** The page is out of sight, and may not come back. */
  hurry(): void {
    this.keep();
    if (this.isBehind && !this.#isHalted) {
      void this.flush();
    }
  }

  /** Tries again what has failed, when it may work: the connection is back, or the session. */
  retry(): void {
    if (this.isBehind && ['offline', 'signed-out', 'failed'].includes(this.#state.kind)) {
      void this.flush();
    }
  }

  /** Saves this text instead of the other one, which stays in the versions. */
  keepMine(): Promise<boolean> {
    if (this.#state.kind === 'conflict') {
      this.#version = this.#state.theirs.draft_version;
      this.#show({ kind: 'saving' });
    }
    return this.flush();
  }

  /**
   * Continues with the other text. This one stays in the versions, with what was typed since.
   *
   * @param put puts a text into the editor
   */
  async takeTheirs(put: (content: Content) => void): Promise<void> {
    if (this.#state.kind === 'conflict' && this.#changes > this.#changesInConflict) {
      // Refused again, by which the server keeps it.
      this.#isHalted = false;
      await this.#save();
    }
    if (this.#state.kind === 'conflict') {
      const { theirs } = this.#state;
      put(theirs);
      this.#isHalted = false;
      this.#version = theirs.draft_version;
      this.#hasSaved(this.#changes, theirs.saved_at);
    }
  }

  /** Puts a kept text into the editor. What was changed on the server since will ask first. */
  takeKept(version: number, put: () => void): void {
    put();
    this.#version = version;
    this.changed();
    this.keep();
  }

  /**
   * Puts in what another tab has saved, while nothing is unsaved here.
   *
   * @param put puts that text into the editor
   */
  takeNewer(version: number, at: string, put: () => void): void {
    if (!this.isBehind && this.#sending === null && version > this.#version) {
      put();
      this.#version = version;
      this.#hasSaved(this.#changes, at);
    }
  }

  start(): void {
    this.#isShown = true;
  }

  /** The page is left: saves what is not saved, without waiting, and shows nothing anymore. */
  stop(): void {
    this.#isShown = false;
    clearTimeout(this.#timer);
    this.hurry();
  }

  /** The session was ended by choice: nothing is kept or sent anymore. */
  discard(): void {
    this.#savedChanges = this.#changes;
    this.#isHalted = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#keepTimer);
    this.#ports.forget();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isHalted || !this.#isShown || this.#sending !== null || this.#since === null) {
      return;
    }
    const now = Date.now();
    const due = Math.max(Math.min(now + restMs, this.#since + mostMs), this.#retryAt);
    this.#timer = setTimeout(() => void this.#save(), due - now);
  }

  /** Sends what is there, or waits for what is being sent. */
  #save(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
      if (this.isBehind) {
        this.#schedule();
      }
    });
    return this.#sending;
  }

  async #send(): Promise<boolean> {
    const changes = this.#changes;
    const content = this.#ports.read();
    if (content === null) {
      return false;
    }
    if (content.title.trim() === '') {
      this.#since = null;
      this.keep();
      this.#show({ kind: 'refused', message: this.#ports.untitled, isKept: this.#isKept });
      return false;
    }
    if (this.#state.kind === 'saved') {
      this.#show({ kind: 'saving' });
    }
    const result = await this.#ports.send(content, this.#version);
    if (!result.ok) {
      this.#fail(result, changes);
      return false;
    }
    this.#version = result.data.draft_version;
    this.#hasSaved(changes, result.data.saved_at);
    return true;
  }

  #hasSaved(changes: number, at: string): void {
    this.#savedChanges = changes;
    this.#retryAt = 0;
    this.#pauseMs = firstPauseMs;
    if (this.isBehind) {
      this.#since = Date.now();
      this.keep();
      this.#show({ kind: 'saving' });
    } else {
      this.#since = null;
      clearTimeout(this.#keepTimer);
      this.#keepTimer = undefined;
      this.#ports.forget();
      this.#show({ kind: 'saved', at });
    }
  }

  #fail(failure: ApiFailure, changes: number): void {
    this.keep();
    const { status } = failure;
    const message = this.#ports.messageOf(failure);
    const theirs = otherDraftOf(failure);
    if (theirs !== null) {
      this.#isHalted = true;
      this.#changesInConflict = changes;
      this.#show({ kind: 'conflict', theirs });
    } else if (status === 401) {
      this.#isHalted = true;
      this.#show({ kind: 'signed-out', isKept: this.#isKept });
    } else if (status === null || status === 429 || status >= 500 || failure.body === null) {
      const asked = status === null ? 0 : (failure.retryAt ?? 0);
      this.#retryAt = Math.max(Date.now() + this.#pauseMs, asked);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      this.#show(
        status === null ? { kind: 'offline', isKept: this.#isKept } : { kind: 'failed', message },
      );
    } else {
      // Not the same again: it waits for a change, and after 403 and 404 for a person.
      this.#since = null;
      this.#isHalted = status === 403 || status === 404;
      this.#show({ kind: 'refused', message, isKept: this.#isKept });
    }
  }

  #show(state: SaveState): void {
    this.#state = state;
    if (this.#isShown) {
      this.#ports.show(state);
    }
  }
}

/** What the server has instead, if it refused a text because of that. */
function otherDraftOf({ status, body }: ApiFailure): OtherDraft | null {
  // The answer of this route has it beside the fields of all errors.
  const { lesson } = (body ?? {}) as { lesson?: OtherDraft };
  return status === 409 && lesson !== undefined ? lesson : null;
}

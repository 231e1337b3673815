// Files in memory that replace those of the WASI shim, which are slow or hold their content twice.

import { Directory, File, Inode, OpenDirectory, OpenFile, wasi } from "@bjorn3/browser_wasi_shim";

/** A file that was dropped. It is read before the run or, if it is large, when it is opened. */
export class DroppedFile extends Inode {
  /** The content; undefined if the file is not read yet. */
  bytes;

  /** @param opened is called with the file when it is opened. */
  constructor(blob, opened) {
    super();
    this.blob = blob;
    this.opened = opened;
  }

  stat() {
    return new wasi.Filestat(this.ino, wasi.FILETYPE_REGULAR_FILE, BigInt(this.blob.size));
  }

  path_open(_oflags, rights) {
    if (rights & BigInt(wasi.RIGHTS_FD_WRITE)) return { ret: wasi.ERRNO_PERM, fd_obj: null };
    this.opened(this);
    return { ret: wasi.ERRNO_SUCCESS, fd_obj: new OpenDroppedFile(this) };
  }
}

/** The number of files that are read concurrently; one after the other takes three times as long. */
const CONCURRENT_FILES = 16;

/** Reads files until `room` bytes are used, and calls `report` with each file that was read. */
export async function readAhead(files, room, report) {
  const all = files.values();
  const read = async () => {
    for (const file of all) {
      if (file.blob.size > room) continue;
      room -= file.blob.size;
      try {
        file.bytes = new Uint8Array(file.blob.size > 0 ? await file.blob.arrayBuffer() : 0);
      } catch {
        // The file was changed or deleted. The error is reported when it is opened.
      }
      report(file);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, read));
}

/** The largest number of bytes in memory of a file that was not read before the run. */
const BLOCK_BYTES = 1 << 22;

class OpenDroppedFile extends OpenFile {
  #start = 0;
  #block;

  constructor(file) {
    super(file);
    this.#block = file.bytes ?? new Uint8Array();
  }

  #at(offset, size) {
    const { blob } = this.file;
    const end = Math.min(offset + size, blob.size);
    if (offset < this.#start || end > this.#start + this.#block.length) {
      try {
        const block = blob.slice(offset, Math.max(end, offset + BLOCK_BYTES));
        this.#block = new Uint8Array(new FileReaderSync().readAsArrayBuffer(block));
        this.#start = offset;
      } catch {
        // The file was changed or deleted after it was dropped.
        return { ret: wasi.ERRNO_IO, data: new Uint8Array() };
      }
    }
    const data = this.#block.subarray(offset - this.#start, Math.max(end - this.#start, 0));
    return { ret: wasi.ERRNO_SUCCESS, data };
  }

  fd_read(size) {
    const read = this.#at(Number(this.file_pos), size);
    this.file_pos += BigInt(read.data.length);
    return read;
  }

  fd_pread(size, offset) {
    return this.#at(Number(offset), size);
  }

  fd_seek(offset, whence) {
    const from = [0n, this.file_pos, BigInt(this.file.blob.size)];
    const place = { [wasi.WHENCE_SET]: 0, [wasi.WHENCE_CUR]: 1, [wasi.WHENCE_END]: 2 }[whence];
    if (place === undefined || from[place] + offset < 0n) return { ret: wasi.ERRNO_INVAL, offset: 0n };
    this.file_pos = from[place] + offset;
    return { ret: wasi.ERRNO_SUCCESS, offset: this.file_pos };
  }
}

/** A file that is written. Its buffer grows by doubling rather than with each write. */
export class WrittenFile extends File {
  #room = new Uint8Array(1 << 16);

  /** @param closed is called with the content when the file is closed. */
  constructor(closed = () => {}) {
    super([]);
    this.closed = closed;
    this.data = this.#room.subarray(0, 0);
  }

  path_open(oflags, rights, flags) {
    if (oflags & wasi.OFLAGS_TRUNC) this.data = this.#room.subarray(0, 0);
    const file = new OpenWrittenFile(this);
    if (flags & wasi.FDFLAGS_APPEND) file.fd_seek(0n, wasi.WHENCE_END);
    return { ret: wasi.ERRNO_SUCCESS, fd_obj: file };
  }

  write(bytes, offset) {
    const end = offset + bytes.length;
    const { length } = this.data;
    if (end > this.#room.length) {
      const room = new Uint8Array(Math.max(end, 2 * this.#room.length));
      room.set(this.data);
      this.#room = room;
    }
    if (offset > length) this.#room.fill(0, length, offset);
    this.#room.set(bytes, offset);
    this.data = this.#room.subarray(0, Math.max(end, length));
  }
}

export class OpenWrittenFile extends OpenFile {
  fd_write(bytes) {
    this.file.write(bytes, Number(this.file_pos));
    this.file_pos += BigInt(bytes.length);
    return { ret: wasi.ERRNO_SUCCESS, nwritten: bytes.length };
  }

  fd_pwrite(bytes, offset) {
    this.file.write(bytes, Number(offset));
    return { ret: wasi.ERRNO_SUCCESS, nwritten: bytes.length };
  }

  fd_close() {
    this.file.closed(this.file.data);
    return wasi.ERRNO_SUCCESS;
  }
}

/** A folder whose files are listed once, not once for each name, and in which files can be created. */
export class Folder extends Directory {
  /** @param closed is called with the name and the content of each file that is written in it, when it is closed. */
  constructor(closed = () => {}) {
    super(new Map());
    this.closed = closed;
  }

  /** Returns the folder of the given name in it, and creates it if necessary. */
  folder(name) {
    let inner = this.contents.get(name);
    if (!(inner instanceof Folder)) {
      inner = new Folder();
      inner.parent = this;
      this.contents.set(name, inner);
    }
    return inner;
  }

  path_open() {
    return { ret: wasi.ERRNO_SUCCESS, fd_obj: new OpenFolder(this) };
  }

  create_entry_for_path(path, isFolder) {
    const made = super.create_entry_for_path(path, isFolder);
    if (made.entry) {
      const at = path.split("/").filter((part) => part !== "" && part !== ".");
      const name = at.pop();
      const into = at.reduce((folder, part) => folder.contents.get(part), this);
      made.entry = isFolder ? new Folder() : new WrittenFile((content) => into.closed(name, content));
      made.entry.parent = into;
      into.contents.set(name, made.entry);
    }
    return made;
  }
}

class OpenFolder extends OpenDirectory {
  #entries = [];

  fd_readdir_single(cookie) {
    if (cookie < 2n) {
      if (cookie === 0n) this.#entries = [...this.dir.contents];
      return super.fd_readdir_single(cookie);
    }
    const entry = this.#entries[Number(cookie) - 2];
    if (!entry) return { ret: wasi.ERRNO_SUCCESS, dirent: null };
    const [name, inode] = entry;
    const dirent = new wasi.Dirent(cookie + 1n, inode.ino, name, inode.stat().filetype);
    return { ret: wasi.ERRNO_SUCCESS, dirent };
  }
}

/** A folder that the program can access under a name (a WASI preopen). */
export class PreopenedFolder extends OpenFolder {
  constructor(name, folder) {
    super(folder);
    this.prestat_name = name;
  }

  fd_prestat_get() {
    return { ret: wasi.ERRNO_SUCCESS, prestat: wasi.Prestat.dir(this.prestat_name) };
  }
}

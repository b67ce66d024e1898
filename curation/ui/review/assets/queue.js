// What goes back to Python: a numbered list that is kept until it is acknowledged. Sending it again
// is harmless, so nothing is lost by a slow server, a restart or a cut connection.

class EventQueue {
  constructor() {
    this.client = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
    this.seq = 0;
    this.sends = 0;
    this.items = [];
    this.setStateValue = () => {};
    this.serial = 0;
    this.pushedAt = 0;
  }

  /** Note an event and send the list. */
  push(type, payload) {
    this.seq += 1;
    this.items.push({ seq: this.seq, serial: this.serial, type, ...(payload || {}) });
    if (this.items.length === 1) this.pushedAt = Date.now();
    this.send();
  }

  send() {
    this.sends += 1;
    this.setStateValue("events", {
      client: this.client,
      n: this.sends,
      have: [...texts.keys()],
      items: this.items,
    });
  }

  /** Forget what Python has acted on. */
  trim(client, ack) {
    if (client !== this.client) return;
    this.items = this.items.filter((item) => item.seq > ack);
  }

  get waiting() {
    return this.items.length > 0;
  }
}

/** Tells whether the page talks to its server, from the mark that Streamlit keeps on the app. */
class Connection {
  constructor(changed) {
    this.lost = false;
    this.app = document.querySelector('[data-testid="stApp"]');
    this.changed = changed;
    if (!this.app) return;
    this.observer = new MutationObserver(() => this.look());
    this.observer.observe(this.app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
    this.look();
  }

  look() {
    const lost = this.app.getAttribute("data-test-connection-state") !== "CONNECTED";
    if (lost === this.lost) return;
    this.lost = lost;
    this.changed(lost);
  }

  stop() {
    if (this.observer) this.observer.disconnect();
  }
}

package io.talosgateway.rest.journal;

final class InMemoryJournalTest extends JournalContract {

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();

    @Override
    JournalStorage newStorage() {
        return storage;
    }

    @Override
    void loseUnsynced(JournalStorage faulty) {
        storage.crash();
    }
}

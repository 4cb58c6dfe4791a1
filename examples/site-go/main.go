// Um site pequeno: uma página, um endereço de saúde, e um fim educado.
package main

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="pt-BR">
  <head><meta charset="utf-8"><title>Seu site está no ar</title></head>
  <body>
    <h1>Seu site está no ar</h1>
    <p>Visitas: {{.Visits}}. {{.Version}}.</p>
  </body>
</html>
`))

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	var visits atomic.Int64

	mux := http.NewServeMux()
	mux.HandleFunc("GET /saude", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"ok": true}`)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		count := visits.Add(1)
		log.Printf("visita %d", count)
		if err := page.Execute(w, map[string]any{"Visits": count, "Version": runtime.Version()}); err != nil {
			log.Print(err)
		}
	})
	server := &http.Server{Addr: ":" + port, Handler: mux, ReadHeaderTimeout: 10 * time.Second}

	// SIGTERM é como o Tijolo pede para parar: quem está sendo atendido termina, ninguém novo entra.
	stopping, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	go func() {
		log.Printf("Site no ar na porta %s", port)
		if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	}()
	<-stopping.Done()
	log.Print("Fechando o site")
	deadline, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(deadline); err != nil {
		log.Print(err)
	}
}

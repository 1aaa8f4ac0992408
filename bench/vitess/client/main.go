// A small load client for the chat's messages: -dsn, -mode point|channel|scatter|insert|load|count, -c threads, -d seconds.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	_ "github.com/go-sql-driver/mysql"
)

func main() {
	dsn := flag.String("dsn", "", "user:pass@tcp(127.0.0.1:port)/db?interpolateParams=true")
	mode := flag.String("mode", "point", "point|channel|scatter|insert|load|count")
	c := flag.Int("c", 8, "threads")
	d := flag.Duration("d", 10*time.Second, "duration")
	chans := flag.Int("chans", 2000, "channels")
	per := flag.Int("per", 100, "rows a channel (load)")
	warm := flag.Duration("warm", 2*time.Second, "warm-up")
	flag.Parse()
	db, err := sql.Open("mysql", *dsn)
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(*c)
	db.SetMaxIdleConns(*c)
	if *mode == "count" {
		var n int64
		if err := db.QueryRow("select count(*) from messages").Scan(&n); err != nil {
			panic(err)
		}
		fmt.Println(n)
		return
	}
	if *mode == "load" {
		load(db, *c, *chans, *per)
		return
	}
	if err := listChannels(db); err != nil {
		panic(err)
	}
	var mu sync.Mutex
	var all []time.Duration
	errs := 0
	var wg sync.WaitGroup
	start := time.Now().Add(*warm)
	end := start.Add(*d)
	for w := 0; w < *c; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(w) + time.Now().UnixNano()))
			var lat []time.Duration
			ne := 0
			for {
				t := time.Now()
				if t.After(end) {
					break
				}
				err := one(db, *mode, r, *chans, *per)
				if err != nil {
					if ne == 0 {
						fmt.Fprintln(os.Stderr, err)
					}
					ne++
				}
				if t.After(start) {
					lat = append(lat, time.Since(t))
				}
			}
			mu.Lock()
			all = append(all, lat...)
			errs += ne
			mu.Unlock()
		}(w)
	}
	wg.Wait()
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	if len(all) == 0 {
		fmt.Println("no samples; errs", errs)
		return
	}
	p := func(q float64) time.Duration { return all[int(q*float64(len(all)-1))].Round(time.Microsecond) }
	fmt.Printf("mode=%s c=%d n=%d errs=%d qps=%.0f p50=%v p95=%v p99=%v max=%v\n", *mode, *c, len(all), errs, float64(len(all))/d.Seconds(), p(.5), p(.95), p(.99), p(1))
}

func one(db *sql.DB, mode string, r *rand.Rand, chans, per int) error {
	ch, id := channels[r.Intn(len(channels))], r.Intn(per)
	switch mode {
	case "point":
		var a, b string
		return db.QueryRow("select author, body from messages where channel_id=? and id=?", ch, id).Scan(&a, &b)
	case "scatter":
		var n int64
		return db.QueryRow("select count(*) from messages where id=?", id).Scan(&n)
	case "channel":
		rows, err := db.Query("select id, author, body from messages where channel_id=? order by id desc limit 20", ch)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var i int64
			var a, b string
			if err := rows.Scan(&i, &a, &b); err != nil {
				return err
			}
		}
		return rows.Err()
	case "insert":
		_, err := db.Exec("insert into messages(channel_id,id,author,body) values(?,?,?,?)", ch, r.Int63(), "bench", "an inserted message body of a few dozen bytes")
		return err
	}
	panic(mode)
}

func load(db *sql.DB, c, chans, per int) {
	t := time.Now()
	ch := make(chan int)
	var wg sync.WaitGroup
	for w := 0; w < c; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range ch {
				var sb strings.Builder
				sb.WriteString("insert into messages(channel_id,id,author,body) values ")
				for j := 0; j < per; j++ {
					if j > 0 {
						sb.WriteByte(',')
					}
					fmt.Fprintf(&sb, "(%d,%d,'user%d','message %d of channel %d, lorem ipsum dolor sit amet')", i, j, j%17, j, i)
				}
				if _, err := db.Exec(sb.String()); err != nil {
					panic(err)
				}
			}
		}()
	}
	for i := 0; i < chans; i++ {
		ch <- i
	}
	close(ch)
	wg.Wait()
	fmt.Printf("loaded %d rows in %v\n", chans*per, time.Since(t).Round(time.Millisecond))
}

var channels []int64

// listChannels finds the channels present (one server of a sharded set holds only some).
func listChannels(db *sql.DB) error {
	rows, err := db.Query("select channel_id from messages where id=0")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c int64
		if err := rows.Scan(&c); err != nil {
			return err
		}
		channels = append(channels, c)
	}
	return rows.Err()
}
